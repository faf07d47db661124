import { cleanText } from "./sanitize.ts";
import { joinText, sentencesOf } from "./sentences.ts";

/** The segmenter copies its input, so a long text is passed in windows. */
const WINDOW = 256;

let segmenter: Intl.Segmenter | undefined;

/** Yields graphemes, none of which is longer than the window. The segmenter is created when it is first used, to load faster. */
function* graphemesOf(text: string): Generator<string, void, undefined> {
	segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
	let start = 0;
	while (start < text.length) {
		const window = text.slice(start, start + WINDOW);
		const isLast = start + window.length === text.length;
		let read = 0;
		for (const { segment, index } of segmenter.segment(window)) {
			const touchesEnd = index + segment.length === window.length;
			// The grapheme may continue after the window, so it is read again at the start of the next window.
			if (touchesEnd && !isLast && index > 0) break;
			read = index + segment.length;
			yield segment;
		}
		start += read;
	}
}

type Measure = (text: string) => number;

/** Graphemes of one column: printable ASCII, Latin, Greek and Cyrillic letters, dashes, quotation marks, bullets. */
const NARROW = "\\x20-\\x7e\\xa1-\\xac\\xae-\\u02ff\\u0391-\\u0482\\u048a-\\u052f\\u2010-\\u2027";
/** Characters that each form a grapheme with a width of two columns: ideographs, kana, Hangul syllables and full-width forms. */
const BROAD = "\\u3001-\\u3029\\u3041-\\u3096\\u30a1-\\u30fe\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff60";
const PLAIN = new RegExp(`^[${NARROW}]*$`);
const SIMPLE = new RegExp(`^[${NARROW}${BROAD}]*$`);
const EACH_BROAD = new RegExp(`[${BROAD}]`, "g");
/** Matches characters of zero width: marks, format characters, fillers. */
const INVISIBLE =
	/[\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Nonspacing_Mark}\p{Enclosing_Mark}\p{Surrogate}]/u;
const EMOJI =
	/\p{Emoji_Presentation}|\p{Regional_Indicator}|\p{Extended_Pictographic}.*[\u200d\ufe0f\p{Emoji_Modifier}]|\u20e3/su;
/** Matches blocks of wide characters (East Asian Width W and F), including a few narrower ones at their edges. */
const WIDE =
	/[\u1100-\u115f\u231a\u231b\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u4dff\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{191ff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Matches characters that take up a column even if they are not the first character of a grapheme. */
const SPACING = /[\p{Spacing_Mark}\uff00-\uffef\u0e33\u0eb3]/u;

/**
 * Measures sanitized text without a terminal: never less than the host does, and nearly always the same, so what fits here fits everywhere.
 * Code that aligns columns uses the measure of its screen.
 */
function plainWidth(text: string): number {
	if (PLAIN.test(text)) return text.length;
	if (SIMPLE.test(text)) return text.length + (text.match(EACH_BROAD)?.length ?? 0);
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
		// If a zero-width mark precedes a spacing character, the host counts the spacing character twice.
		if (at > 0 && SPACING.test(char)) width += columns;
		at += char.length;
	}
	return width;
}

const ELLIPSIS = "…";

/** Longer graphemes, with stacked marks or endless joiners, are attempts to break the layout. */
const MAX_GRAPHEME = 32;

/** Text that is cut between words or sentences must fill at least this fraction of the room; otherwise, it is cut inside a word. */
const WORTHWHILE = 1 / 3;

/** Returns the end of the longest prefix of whole graphemes that fits into `columns`. The rest of the text is not read. */
function fittingEnd(text: string, columns: number, measure: Measure): number {
	if (columns < 1) return 0;
	// A shortcut for text that is plain up to one character after the cut. No grapheme can extend across such a cut.
	const head = text.slice(0, columns + 1);
	if (PLAIN.test(head)) return Math.min(text.length, columns);
	let width = 0;
	let invisible = 0;
	let end = 0;
	for (const grapheme of SIMPLE.test(head) ? head : graphemesOf(text)) {
		const wider = measure(grapheme);
		width += wider;
		if (wider === 0) invisible++;
		const next = end + grapheme.length;
		// Without a limit, a run of zero-width graphemes could be endless.
		if (width > columns || grapheme.length > MAX_GRAPHEME || invisible > columns) break;
		end = next;
	}
	return end;
}

/** Returns the beginning of a text that does not fit, followed by "…". */
function shorten(text: string, columns: number, measure: Measure): string {
	if (columns < 1) return "";
	const end = fittingEnd(text, columns - 1, measure);
	const prefix = text.slice(0, end);
	const endsWord = /\s/.test(text.charAt(end));
	const lastSpace = prefix.search(/\s\S*$/);
	const cut = endsWord || lastSpace < end * WORTHWHILE ? prefix : prefix.slice(0, lastSpace);
	return cut.trimEnd() + ELLIPSIS;
}

/** Like `clipColumns`, for size limits: returns at most `units` UTF-16 code units. The text need not be sanitized. */
export function headUnits(text: string, units: number): string {
	return text.length <= units ? text : shorten(text, units, ({ length }) => length);
}

/** Returns at most the last `units` code units of a text. If possible, the result begins at the start of a line, a sentence or a word. */
export function tailUnits(text: string, units: number): string {
	if (text.length <= units) return text;
	const tail = text.slice(-units);
	const half = tail.slice(0, units / 2);
	const start = [/\n/, /[.!?](?=\s)|[。！？]/, /\s/].map((end) => half.search(end)).find((end) => end >= 0);
	return start === undefined ? tail.replace(/^[\udc00-\udfff]/, "") : tail.slice(start + 1).trimStart();
}

export interface WrapOptions {
	columns: number;
	indent?: string;
	max?: number;
}

/** Characters of writing systems in which words are not separated by spaces. */
const IDEOGRAPHS = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー";
const CLOSERS =
	"、。，．！？：；）」』】〉》”’…‥ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ％\\p{M},.!?:;)\\]}%";
const OPENERS = "（「『【〈《“‘(\\[{";
const BREAK = new RegExp(
	`(?<=[${IDEOGRAPHS}、。，．！？：；）」』】〉》])(?![${CLOSERS}])|(?<![${OPENERS}])(?=[${IDEOGRAPHS}${OPENERS}])(?![${CLOSERS}(\\[{])`,
	"u",
);
const HAS_IDEOGRAPHS = new RegExp(`[${IDEOGRAPHS}]`, "u");

/** Functions that fit sanitized text to a width. A terminal may measure a text that is not sanitized differently. */
export function clippingBy(measure: Measure) {
	/** Graphemes are never cut. A word is cut only if dropping it would leave more than two thirds of the room unused. */
	function clipColumns(text: string, columns: number): string {
		const clean = cleanText(text);
		return fittingEnd(clean, columns, measure) === clean.length ? clean : shorten(clean, columns, measure);
	}
	/** Cuts after the last whole sentence that fits or, if that would fill less than a third of the room, like `clipColumns`. */
	function clipSentence(text: string, columns: number): string {
		const clipped = clipColumns(text, columns);
		if (!clipped.endsWith(ELLIPSIS)) return clipped;
		let whole = "";
		for (const sentence of sentencesOf(cleanText(text))) {
			const longer = whole === "" ? sentence : joinText([whole, sentence]);
			if (measure(longer) + 2 > columns) break;
			whole = longer;
		}
		return measure(whole) > columns * WORTHWHILE ? `${whole} ${ELLIPSIS}` : clipped;
	}
	/** Breaks text into lines: at spaces and between ideographs, or inside a word that is longer than a line, such as a path. */
	function wrapColumns(
		text: string,
		{ columns, indent = "", max = Number.POSITIVE_INFINITY }: WrapOptions,
	): string[] {
		const lines: string[] = [];
		let line = /^ */.exec(text)?.[0] ?? "";
		const fits = (longer: string) => measure(longer) <= columns || lines.length + 1 >= max;
		const startLine = () => {
			lines.push(line.trimEnd());
			line = indent;
		};
		for (const word of text.trimStart().split(" ")) {
			let lead = line.trim() === "" ? "" : " ";
			for (const part of HAS_IDEOGRAPHS.test(word) ? word.split(BREAK) : [word]) {
				if (!fits(line + lead + part)) {
					if (line.trim() !== "") startLine();
					lead = "";
				}
				line += lead;
				lead = "";
				if (fits(line + part)) line += part;
				else
					for (const grapheme of graphemesOf(part)) {
						if (!fits(line + grapheme) && line.trim() !== "") startLine();
						line += grapheme;
					}
			}
		}
		return [...lines, line].map((one) => clipColumns(one, columns));
	}
	return { displayWidth: measure, clipColumns, clipSentence, wrapColumns };
}

/** These functions are for text that is stored, sent, or printed where the width of the screen is unknown or need not be exact. */
export const { displayWidth, clipColumns, clipSentence, wrapColumns } = clippingBy(plainWidth);
