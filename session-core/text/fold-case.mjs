// @ts-check
/**
 * Removes differences in case, width and accents: `Café` becomes `cafe`, `ß` becomes `ss`, `ς` becomes `σ`.
 * This file is plain JavaScript, because the web page also loads it.
 * @param {string} text
 */
export function foldCase(text) {
	if (ASCII.test(text)) return text.toLowerCase();
	// Converts `ẞ` to `ß` first, because only `ß` becomes `SS` in upper case.
	const folded = text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
	return folded.normalize("NFKD").replace(/\p{M}/gu, "").normalize("NFC");
}

const ASCII = /^[\0-\x7f]*$/;

/**
 * Keeps only letters and digits, in lower case, so that punctuation does not matter in comparisons.
 * @param {string} text
 */
export function letters(text) {
	return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}
