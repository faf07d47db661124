import { cleanText } from "./sanitize.ts";
import { joinText, sentencesOf } from "./words.ts";

/**
 * The window size, in code units, for segmenting long text. Windows are needed because `Intl.Segmenter`
 * copies its whole input.
 */
const WINDOW = 256;

let segmenter: Intl.Segmenter | undefined;

function* graphemesOf(text: string): Generator<string, void, undefined> {
	segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
	let start = 0;
	while (start < text.length) {
		const window = text.slice(start, start + WINDOW);
		const isLast = start + window.length === text.length;
		let read = 0;
		for (const { segment, index } of segmenter.segment(window)) {
			const touchesEnd = index + segment.length === window.length;
			if (touchesEnd && !isLast && index > 0) break;
			read = index + segment.length;
			yield segment;
		}
		start += read;
	}
}

type Measure = (text: string) => number;

const NARROW = "\\x20-\\x7e\\xa1-\\xac\\xae-\\u02ff\\u0391-\\u0482\\u048a-\\u052f\\u2010-\\u2027";
const BROAD = "\\u3001-\\u3029\\u3041-\\u3096\\u30a1-\\u30fe\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff60";
const PLAIN = new RegExp(`^[${NARROW}]*$`);
const SIMPLE = new RegExp(`^[${NARROW}${BROAD}]*$`);
const EACH_BROAD = new RegExp(`[${BROAD}]`, "g");
const INVISIBLE =
	/[\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Nonspacing_Mark}\p{Enclosing_Mark}\p{Surrogate}]/u;
const EMOJI =
	/\p{Emoji_Presentation}|\p{Regional_Indicator}|\p{Extended_Pictographic}.*[\u200d\ufe0f\p{Emoji_Modifier}]|\u20e3/su;
/** Matches the East Asian Width classes W and F, and a few narrower characters between their ranges. */
const WIDE =
	/[\u1100-\u115f\u231a\u231b\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u4dff\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{191ff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const SPACING = /[\p{Spacing_Mark}\uff00-\uffef\u0e33\u0eb3]/u;

/**
 * Returns at least the width that pi's own width function returns, so that text never overflows the
 * screen. To align columns, use the screen's width function instead.
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
		if (at > 0 && SPACING.test(char)) width += columns;
		at += char.length;
	}
	return width;
}

const ELLIPSIS = "…";

/**
 * The maximum number of UTF-16 code units in a displayed grapheme. A longer grapheme, such as a letter with
 * hundreds of accents, is probably intended to break the layout.
 */
const MAX_GRAPHEME = 32;

/**
 * If cutting text after a word or a sentence would fill less than this fraction of the width, the text
 * is cut inside a word.
 */
const WORTHWHILE = 1 / 3;

function fittingEnd(text: string, columns: number, measure: Measure): number {
	if (columns < 1) return 0;
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
		if (width > columns || grapheme.length > MAX_GRAPHEME || invisible > columns) break;
		end = next;
	}
	return end;
}

function shorten(text: string, columns: number, measure: Measure): string {
	if (columns < 1) return "";
	const end = fittingEnd(text, columns - 1, measure);
	const prefix = text.slice(0, end);
	const endsWord = /\s/.test(text.charAt(end));
	const lastSpace = prefix.search(/\s\S*$/);
	const cut = endsWord || lastSpace < end * WORTHWHILE ? prefix : prefix.slice(0, lastSpace);
	return cut.trimEnd() + ELLIPSIS;
}

export function headUnits(text: string, units: number): string {
	return text.length <= units ? text : shorten(text, units, ({ length }) => length);
}

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

/** Chinese and Japanese do not separate words with spaces, so a line may break after any character. */
const IDEOGRAPHS = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー";
const CLOSERS =
	"、。，．！？：；）」』】〉》”’…‥ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ％\\p{M},.!?:;)\\]}%";
const OPENERS = "（「『【〈《“‘(\\[{";
const BREAK = new RegExp(
	`(?<=[${IDEOGRAPHS}、。，．！？：；）」』】〉》])(?![${CLOSERS}])|(?<![${OPENERS}])(?=[${IDEOGRAPHS}${OPENERS}])(?![${CLOSERS}(\\[{])`,
	"u",
);
const HAS_IDEOGRAPHS = new RegExp(`[${IDEOGRAPHS}]`, "u");

/** Text must be sanitized before it is clipped, because control characters have no fixed width. */
export function clippingBy(measure: Measure) {
	function clipColumns(text: string, columns: number): string {
		const clean = cleanText(text);
		return fittingEnd(clean, columns, measure) === clean.length ? clean : shorten(clean, columns, measure);
	}
	/**
	 * Cuts text after the last complete sentence that fits, or after a word if cutting at the sentence
	 * would leave most of the width empty.
	 */
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
	/**
	 * Breaks lines at spaces and between ideographs. A word that does not fit on a line, such as a long
	 * path, may be broken at any character.
	 */
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

export const { displayWidth, clipColumns, clipSentence, wrapColumns } = clippingBy(plainWidth);
