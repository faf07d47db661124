import { graphemesOf } from "./graphemes.ts";
import { cleanText } from "./sanitize.ts";
import { type Measure, plainWidth } from "./width.ts";

const ELLIPSIS = "…";

/** Code units that a grapheme may have; beyond it, stacked marks or endless joiners are an attack on the layout. */
const MAX_GRAPHEME = 32;

/** A break that leaves less than this share of the room is worse than a cut in mid-word or mid-sentence. */
const WORTHWHILE = 1 / 3;

let sentences: Intl.Segmenter | undefined;

/** Where the longest run of whole graphemes ends that fits into `columns`. Reads no further than it must. */
function fittingEnd(text: string, columns: number, measure: Measure): number {
	if (columns < 1) return 0;
	// One character more than fits, all plain: no grapheme can reach over the cut.
	if (!/[^\x20-\x7e]/.test(text.slice(0, columns + 1))) return Math.min(text.length, columns);
	let width = 0;
	let invisible = 0;
	let end = 0;
	for (const grapheme of graphemesOf(text)) {
		const wider = measure(grapheme);
		width += wider;
		if (wider === 0) invisible++;
		const next = end + grapheme.length;
		// Graphemes of no width would otherwise go on for ever.
		if (width > columns || grapheme.length > MAX_GRAPHEME || invisible > columns) break;
		end = next;
	}
	return end;
}

/** The beginning of a text that does not fit, with "…". */
function shorten(text: string, columns: number, measure: Measure): string {
	if (columns < 1) return "";
	const end = fittingEnd(text, columns - 1, measure);
	const prefix = text.slice(0, end);
	const endsWord = /\s/.test(text.charAt(end));
	const lastSpace = prefix.search(/\s\S*$/);
	const cut = endsWord || lastSpace < end * WORTHWHILE ? prefix : prefix.slice(0, lastSpace);
	return cut.trimEnd() + ELLIPSIS;
}

/** Where the last whole sentence of `text` ends that ends within its first `limit` code units; 0 if none does. */
function lastSentenceEnd(text: string, limit: number): number {
	sentences ??= new Intl.Segmenter(undefined, { granularity: "sentence" });
	let end = 0;
	for (const { segment, index } of sentences.segment(text.slice(0, limit + MAX_GRAPHEME))) {
		const sentence = segment.trimEnd();
		if (index + sentence.length > limit) break;
		if (/\p{Sentence_Terminal}["'\p{Pe}\p{Pf}]*$/u.test(sentence)) end = index + sentence.length;
	}
	return end;
}

/** Clipping by one measure of width. What comes in is sanitised first, so widths are what a terminal shows. */
export interface Clipping {
	/** Columns that clean text takes. */
	displayWidth: Measure;
	/**
	 * The text if it fits into `columns`, else its beginning and "…": whole graphemes always, whole words where that
	 * costs no more than two thirds of the room.
	 */
	clipColumns(text: string, columns: number): string;
	/**
	 * The text if it fits into `columns`, else as many whole sentences as fit, without "…". Where the only sentence end
	 * comes within the first third of the room, or there is none, like `clipColumns`.
	 */
	clipSentence(text: string, columns: number): string;
}

export function clippingBy(measure: Measure): Clipping {
	return {
		displayWidth: measure,
		clipColumns(text, columns) {
			const clean = cleanText(text);
			return fittingEnd(clean, columns, measure) === clean.length ? clean : shorten(clean, columns, measure);
		},
		clipSentence(text, columns) {
			const clean = cleanText(text);
			const limit = fittingEnd(clean, columns, measure);
			if (limit === clean.length) return clean;
			const end = lastSentenceEnd(clean, limit);
			return end > limit * WORTHWHILE ? clean.slice(0, end) : shorten(clean, columns, measure);
		},
	};
}

/** For what is bounded without a screen: stored, sent, or said in a line that the screen wraps. */
export const { displayWidth, clipColumns, clipSentence } = clippingBy(plainWidth);
