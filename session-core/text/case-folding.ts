/** Composes letters and applies full case folding: `ß` becomes `ss`, and the final sigma `ς` becomes `σ`. */
export function foldCase(text: string): string {
	if (ASCII.test(text)) return text.toLowerCase();
	// Converts to lower case first, because `ẞ` is its own upper case.
	return text.normalize("NFC").toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

const ASCII = /^[\0-\x7f]*$/;
