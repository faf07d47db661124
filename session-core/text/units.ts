import { graphemesOf } from "./graphemes.ts";

/**
 * The beginning of a text in at most `units` UTF-16 units, "…" included where something was cut: whole graphemes
 * always, whole words where that costs no more than a third of the room. For what is bounded by size, not by width.
 */
export function headUnits(text: string, units: number): string {
	if (text.length <= units) return text;
	let end = 0;
	for (const grapheme of graphemesOf(text)) {
		if (end + grapheme.length > units - 1) break;
		end += grapheme.length;
	}
	const head = text.slice(0, end);
	const space = /\s/.test(text.charAt(end)) ? end : head.search(/\s\S*$/);
	return `${(space > (end * 2) / 3 ? head.slice(0, space) : head).trimEnd()}…`;
}
