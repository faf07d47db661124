/** Folds a text so that comparisons ignore letter case and accents: `Café` becomes `cafe`, `ß` becomes `ss`, and `ς` becomes `σ`. */
export function foldCase(text: string): string {
	if (ASCII.test(text)) return text.toLowerCase();
	// Converts to lower case first, because `ẞ` is its own upper case.
	const folded = text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
	return folded.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC");
}

const ASCII = /^[\0-\x7f]*$/;
