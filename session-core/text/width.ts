import { graphemesOf } from "./graphemes.ts";

/** Columns that clean text takes in a terminal. */
export type Measure = (text: string) => number;

/** Only printable ASCII. */
const PLAIN = /^[\x20-\x7e]*$/;
/** What shows nothing by itself: marks, format characters, fillers. */
const INVISIBLE =
	/[\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Nonspacing_Mark}\p{Enclosing_Mark}\p{Surrogate}]/u;
const EMOJI =
	/\p{Emoji_Presentation}|\p{Regional_Indicator}|\p{Extended_Pictographic}.*[\u200d\ufe0f\p{Emoji_Modifier}]|\u20e3/su;
/** Blocks of wide characters (East Asian Width W and F), each taken whole: at their edges some are narrower than said. */
const WIDE =
	/[\u1100-\u115f\u231a\u231b\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u4dff\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{191ff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Inside a grapheme, what takes a place of its own behind the first character. */
const SPACING = /[\p{Spacing_Mark}\uff00-\uffef\u0e33\u0eb3]/u;

/**
 * Columns of clean text without a terminal at hand: never fewer than the host's own measure, and for nearly all text the
 * same. What is bounded by it fits wherever it is shown; what draws in columns uses the measure of its screen.
 */
export function plainWidth(text: string): number {
	if (PLAIN.test(text)) return text.length;
	let width = 0;
	for (const grapheme of graphemesOf(text)) width += graphemeWidth(grapheme);
	return width;
}

function graphemeWidth(grapheme: string): number {
	let width = EMOJI.test(grapheme) ? 2 : 0;
	let at = 0;
	for (const char of grapheme) {
		const columns = WIDE.test(char) ? 2 : 1;
		if (width === 0 && !INVISIBLE.test(char)) width += columns;
		// Behind a leading mark, the host counts such a one twice.
		if (at > 0 && SPACING.test(char)) width += columns;
		at += char.length;
	}
	return width;
}
