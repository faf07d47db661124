/**
 * Makes untrusted session text safe for a terminal, a file or a page. The filter examines the original characters: a selector or joiner
 * whose neighbor is removed is removed, too, so filtering creates no new sequence and a second pass changes nothing.
 */

/** Matches all characters except printable ASCII, newline and tab. Nearly all text has none of them and needs no cleaning. */
const NOT_PLAIN = /[^\n\t\x20-\x7e]/;

const LINE_BREAK = /\r\n?|[\v\f\x85\u2028\u2029]/g;

/** Control characters, lone surrogates, bidi controls, invisible (default-ignorable) characters and interlinear annotation. */
const UNWANTED =
	"\\x00-\\x08\\x0e-\\x1f\\x7f-\\x9f\\p{Surrogate}\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\ufff9-\\ufffb";

/** Scripts whose spelling needs the zero-width joiner or non-joiner. Source: Unicode 15, chapters 9, 12 and 13. */
const JOINING = [
	"Arabic Syriac Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam",
	"Sinhala Khmer Myanmar Tibetan",
]
	.join(" ")
	.split(" ")
	.map((script) => `\\p{Script=${script}}`)
	.join("");

const PICTOGRAPH = "\\p{Extended_Pictographic}";
/** Characters that may follow a pictograph inside its grapheme (UAX #29, GB9 and GB11), except for the joiner. */
const EXTENSION = "[\\p{Mn}\\p{Me}\\p{Emoji_Modifier}\\u200c\\u{e0020}-\\u{e007f}]*";
const EMOJI = `${PICTOGRAPH}${EXTENSION}(?:\\u200d(?:${PICTOGRAPH})?${EXTENSION})*`;
const KEYCAP = "[#*0-9]\\ufe0f\\u20e3";
const LETTER = `(?=[\\p{L}\\p{M}])(?![${UNWANTED}])[${JOINING}]`;
const JOINER = `(?<=${LETTER})[\\u200c\\u200d](?=${LETTER})`;

const SUSPICIOUS = new RegExp(`[${UNWANTED}]`, "u");
const PART = new RegExp(`(${EMOJI})|(${KEYCAP}|${JOINER})|[${UNWANTED}]`, "gu");

/** Matches what does not belong in an emoji sequence. Joiners between pictographs and a selector after a pictograph do. */
const JUNK = `\\u200d(?!${PICTOGRAPH})|(?![\\u200d\\ufe0f])[${UNWANTED}]`;
const ADULTERATED = new RegExp(`(?<!${PICTOGRAPH})\\ufe0f|${JUNK}`, "u");
const EMOJI_JUNK = new RegExp(`[\\ufe0f\\p{Emoji_Modifier}]|${JUNK}`, "gu");

function keepPart(_part: string, emoji: string | undefined, kept: string | undefined): string {
	if (emoji === undefined) return kept ?? "";
	// Presentation selectors and skin-tone modifiers are removed as well. Without the junk before them, they would apply to the emoji and
	// widen it.
	return ADULTERATED.test(emoji) ? emoji.replace(EMOJI_JUNK, "") : emoji;
}

/**
 * Returns text that is safe to show and store: without control and escape sequences, bidi controls, invisible format characters and lone
 * surrogates. Newlines (all kinds become `\n`) and tabs are kept. Idempotent; the result is never wider than the input.
 */
export function cleanText(text: string): string {
	if (!NOT_PLAIN.test(text)) return text;
	// Each control sequence is first replaced with NUL, which the filter below removes. This keeps the filter from treating the text before
	// and after the sequence as adjacent.
	const broken = replaceEscapes(text, "\0").replace(LINE_BREAK, "\n");
	return SUSPICIOUS.test(broken) ? broken.replace(PART, keepPart) : broken;
}

/** Like {@link cleanText}, but returns one line: any whitespace becomes a single space, and the ends are trimmed. */
export function cleanLine(text: string): string {
	const clean = cleanText(text);
	return (UNEVEN.test(clean) ? clean.replace(/\s+/g, " ") : clean).trim();
}

/** Matches whitespace other than single spaces. Most text has none, and replacing every space in it would take longer than this test. */
const UNEVEN = /[^\S ]| {2}/;

/**
 * Terminal control sequences (ECMA-48 and xterm's "Control Sequences"). `util.stripVTControlCharacters` leaves DCS, SOS, PM and
 * unterminated strings. Every repetition excludes its own terminators and introducers, so matching stays linear.
 */

/** Matches a CSI sequence up to its final byte, or a CSI sequence that is cut off before its final byte. */
const CSI = "(?:\\x1b\\[|\\x9b)[\\x30-\\x3f]*[\\x20-\\x2f]*[\\x40-\\x7e]?";

/** Matches the characters that a control string may contain: all except its terminators, cancels (CAN, SUB) and new introducers. */
const PAYLOAD = "[^\\x07\\x18\\x1a\\x1b\\x80-\\x9f]*";

/** Matches DCS, SOS, OSC, PM and APC with their payload, up to BEL, ST or a cancel character. */
const TERMINATED_STRING = `(?:\\x1b[PX\\]^_]|[\\x90\\x98\\x9d-\\x9f])${PAYLOAD}(?:[\\x07\\x18\\x1a\\x9c]|\\x1b\\\\)`;

/** Up to the end of the line. 8-bit introducers are left to the character filter: they are usually misencoded quotation marks. */
const CUT_OFF_STRING = "\\x1b[PX\\]^_][^\\n\\r\\x07\\x18\\x1a\\x1b\\x80-\\x9f]*";

const SINGLE_SHIFT = "(?:\\x1b[NO]|[\\x8e\\x8f])[\\x20-\\x7e]?";

/** Matches every other escape sequence: intermediates and a final byte, or a lone ESC. */
const OTHER = "\\x1b[\\x20-\\x2f]*[\\x30-\\x7e]?";

const SEQUENCE = new RegExp([TERMINATED_STRING, CUT_OFF_STRING, CSI, SINGLE_SHIFT, OTHER].join("|"), "g");
const INTRODUCER = /[\x1b\x80-\x9f]/;

export function replaceEscapes(text: string, by: string): string {
	return INTRODUCER.test(text) ? text.replace(SEQUENCE, by) : text;
}
