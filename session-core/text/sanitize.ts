import { replaceEscapes } from "./escapes.ts";

/**
 * The one gate between session text, which is hostile, and a terminal, a file or a page.
 *
 * What survives is decided on the characters as they stood: a selector or joiner whose neighbour was removed goes
 * too. So removing something never makes a new sequence of what is left, and a second pass changes nothing.
 */

/** Only printable ASCII, newline and tab: nearly all text, and clean as it is. */
const NOT_PLAIN = /[^\n\t\x20-\x7e]/;

/** Line separators of all kinds: CR, VT, FF, NEL, U+2028, U+2029. */
const LINE_BREAK = /\r\n?|[\v\f\x85\u2028\u2029]/g;

/**
 * Controls, lone surrogates, what Unicode calls default-ignorable (bidi controls, zero-width characters, selectors,
 * tags, soft hyphen, BOM, fillers) and interlinear annotation. Hangul jamo fillers are dealt with
 * apart: inside a syllable they carry the grapheme.
 */
const UNWANTED =
	"\\x00-\\x08\\x0e-\\x1f\\x7f-\\x9f\\p{Surrogate}\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\ufff9-\\ufffb";

/** Scripts whose spelling needs the zero-width (non-)joiner; sources: Unicode 15, chapters 9, 12 and 13. */
const JOINING = [
	"Arabic Syriac Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam",
	"Sinhala Khmer Myanmar Tibetan",
]
	.join(" ")
	.split(" ")
	.map((script) => `\\p{Script=${script}}`)
	.join("");

const PICTOGRAPH = "\\p{Extended_Pictographic}";
/** What may follow a pictograph inside its grapheme (UAX #29, GB9 and GB11), the joiner excepted. */
const EXTENSION = "[\\p{Mn}\\p{Me}\\p{Emoji_Modifier}\\u200c\\u{e0020}-\\u{e007f}]*";
const EMOJI = `${PICTOGRAPH}${EXTENSION}(?:\\u200d(?:${PICTOGRAPH})?${EXTENSION})*`;
const KEYCAP = "[#*0-9]\\ufe0f\\u20e3";
const LETTER = `(?=[\\p{L}\\p{M}])(?![${UNWANTED}])[${JOINING}]`;
const JOINER = `(?<=${LETTER})[\\u200c\\u200d](?=${LETTER})`;
const JAMO = "[\\u1100-\\u115e\\u1161-\\u11ff\\ua960-\\ua97c\\uac00-\\ud7fb]";
const JAMO_FILLER = `(?<=${JAMO})[\\u115f\\u1160]|[\\u115f\\u1160](?=${JAMO})`;

const SUSPICIOUS = new RegExp(`[${UNWANTED}]`, "u");
const PART = new RegExp(`(${EMOJI})|(${KEYCAP}|${JOINER}|${JAMO_FILLER})|[${UNWANTED}]`, "gu");

/** In an emoji, all but its joiners and a presentation selector right after a pictograph. */
const JUNK = `\\u200d(?!${PICTOGRAPH})|(?![\\u200d\\ufe0f])[${UNWANTED}]`;
const ADULTERATED = new RegExp(`(?<!${PICTOGRAPH})\\ufe0f|${JUNK}`, "u");
const EMOJI_JUNK = new RegExp(`[\\ufe0f\\p{Emoji_Modifier}]|${JUNK}`, "gu");

function keepPart(_part: string, emoji: string | undefined, kept: string | undefined): string {
	if (emoji === undefined) return kept ?? "";
	// Selector and skin tone go with the junk: a terminal ignored them before, and they would now widen the emoji.
	return ADULTERATED.test(emoji) ? emoji.replace(EMOJI_JUNK, "") : emoji;
}

/**
 * Text that is safe to show and store: no control or escape sequence, bidi control, invisible format character or
 * lone surrogate. Newlines (all kinds become `\n`) and tabs stay. Idempotent; never takes more columns than before.
 */
export function cleanText(text: string): string {
	if (!NOT_PLAIN.test(text)) return text;
	// NUL marks the place of a sequence until the filter below takes it out: what stood apart must not meet.
	const broken = replaceEscapes(text, "\0").replace(LINE_BREAK, "\n");
	return SUSPICIOUS.test(broken) ? broken.replace(PART, keepPart) : broken;
}

/** The same as {@link cleanText} on one line: white space of any kind folded to single spaces and trimmed. */
export function cleanLine(text: string): string {
	return cleanText(text).replace(/\s+/g, " ").trim();
}
