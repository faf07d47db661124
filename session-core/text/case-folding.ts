/** Full case folding: `ß` becomes `ss`, and a final sigma a sigma. */
export function foldCase(text: string): string {
	if (ASCII.test(text)) return text.toLowerCase();
	// Convert to lower case first, because `ẞ` is its own upper case.
	return text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

const ASCII = /^[\0-\x7f]*$/;
