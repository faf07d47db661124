const NOT_PLAIN = /[^\n\t\x20-\x7e]/;

const LINE_BREAK = /\r\n?|[\v\f\x85\u2028\u2029]/g;

/**
 * Control characters, bidirectional controls and invisible characters can change how a terminal shows the
 * surrounding text.
 */
const UNWANTED =
	"\\x00-\\x08\\x0e-\\x1f\\x7f-\\x9f\\p{Surrogate}\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\ufff9-\\ufffb";

/** Some scripts require zero-width joiners and non-joiners (Unicode 15, chapters 9, 12 and 13). */
const JOINING = [
	"Arabic Syriac Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam",
	"Sinhala Khmer Myanmar Tibetan",
]
	.join(" ")
	.split(" ")
	.map((script) => `\\p{Script=${script}}`)
	.join("");

const PICTOGRAPH = "\\p{Extended_Pictographic}";
/** Matches characters that may follow a pictograph in a grapheme (UAX #29, rules GB9 and GB11). */
const EXTENSION = "[\\p{Mn}\\p{Me}\\p{Emoji_Modifier}\\u200c\\u{e0020}-\\u{e007f}]*";
const EMOJI = `${PICTOGRAPH}${EXTENSION}(?:\\u200d(?:${PICTOGRAPH})?${EXTENSION})*`;
const KEYCAP = "[#*0-9]\\ufe0f\\u20e3";
const LETTER = `(?=[\\p{L}\\p{M}])(?![${UNWANTED}])[${JOINING}]`;
const JOINER = `(?<=${LETTER})[\\u200c\\u200d](?=${LETTER})`;

const SUSPICIOUS = new RegExp(`[${UNWANTED}]`, "u");
const PART = new RegExp(`(${EMOJI})|(${KEYCAP}|${JOINER})|[${UNWANTED}]`, "gu");

const JUNK = `\\u200d(?!${PICTOGRAPH})|(?![\\u200d\\ufe0f])[${UNWANTED}]`;
const ADULTERATED = new RegExp(`(?<!${PICTOGRAPH})\\ufe0f|${JUNK}`, "u");
const EMOJI_JUNK = new RegExp(`[\\ufe0f\\p{Emoji_Modifier}]|${JUNK}`, "gu");

function keepPart(_part: string, emoji: string | undefined, kept: string | undefined): string {
	if (emoji === undefined) return kept ?? "";
	// If part of an emoji is removed, the emoji's variation selectors and modifiers are removed too.
	return ADULTERATED.test(emoji) ? emoji.replace(EMOJI_JUNK, "") : emoji;
}

/**
 * Removes control and escape sequences, bidirectional controls, invisible characters and lone
 * surrogates. Tabs are kept, and all line breaks become `\n`. The result is never wider than the input.
 * Sanitizing the result again changes nothing.
 */
export function cleanText(text: string): string {
	if (!NOT_PLAIN.test(text)) return text;
	// Each control sequence becomes a NUL, so that the characters around it cannot form a single emoji.
	const broken = replaceEscapes(text, "\0").replace(LINE_BREAK, "\n");
	return SUSPICIOUS.test(broken) ? broken.replace(PART, keepPart) : broken;
}

/**
 * Like `cleanText`, but returns a single trimmed line, in which whitespace and blank braille patterns are
 * replaced by single spaces.
 */
export function cleanLine(text: string): string {
	const clean = cleanText(text);
	return (UNEVEN.test(clean) ? clean.replace(/[\s\u2800]+/g, " ") : clean).trim();
}

/**
 * Most text contains only single spaces, so it is faster to test for other whitespace than to replace
 * all whitespace.
 */
const UNEVEN = /[^\S ]| {2}|\u2800/;

/**
 * Matches control sequences according to ECMA-48 and xterm's "Control Sequences".
 * `util.stripVTControlCharacters` is not used, because it does not remove DCS, SOS, PM or unterminated
 * strings. Matching takes linear time, because a repetition never matches the character that ends it.
 */

/** The final byte of a CSI sequence is optional, because the text may end within the sequence. */
const CSI = "(?:\\x1b\\[|\\x9b)[\\x30-\\x3f]*[\\x20-\\x2f]*[\\x40-\\x7e]?";

/**
 * A terminal control string ends at a terminator, at CAN or SUB, or at the beginning of another
 * sequence.
 */
const PAYLOAD = "[^\\x07\\x18\\x1a\\x1b\\x80-\\x9f]*";

const TERMINATED_STRING = `(?:\\x1b[PX\\]^_]|[\\x90\\x98\\x9d-\\x9f])${PAYLOAD}(?:[\\x07\\x18\\x1a\\x9c]|\\x1b\\\\)`;

/**
 * Matches an unterminated control string up to the end of the line. Strings that begin with an 8-bit
 * control character do not match, because such characters are usually misencoded quotation marks.
 */
const CUT_OFF_STRING = "\\x1b[PX\\]^_][^\\n\\r\\x07\\x18\\x1a\\x1b\\x80-\\x9f]*";

const SINGLE_SHIFT = "(?:\\x1b[NO]|[\\x8e\\x8f])[\\x20-\\x7e]?";

const OTHER = "\\x1b[\\x20-\\x2f]*[\\x30-\\x7e]?";

const SEQUENCE = new RegExp([TERMINATED_STRING, CUT_OFF_STRING, CSI, SINGLE_SHIFT, OTHER].join("|"), "g");
const INTRODUCER = /[\x1b\x80-\x9f]/;

export function replaceEscapes(text: string, by: string): string {
	return INTRODUCER.test(text) ? text.replace(SEQUENCE, by) : text;
}
