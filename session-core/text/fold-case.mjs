// @ts-check
/**
 * Folds a text so that comparisons ignore letter case, width and accents: `Café` becomes `cafe`, `ß` becomes `ss`, and `ς` becomes `σ`.
 * Plain JavaScript, because the page in the browser loads it, too.
 * @param {string} text
 */
export function foldCase(text) {
	if (ASCII.test(text)) return text.toLowerCase();
	// Converts to lower case first, because `ẞ` is its own upper case.
	const folded = text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
	return folded.normalize("NFKD").replace(/\p{M}/gu, "").normalize("NFC");
}

const ASCII = /^[\0-\x7f]*$/;

/**
 * Returns only the letters and digits of a text, in lower case, to compare texts that differ in punctuation.
 * @param {string} text
 */
export function letters(text) {
	return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}
