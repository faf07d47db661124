/**
 * Terminal control sequences, as ECMA-48 and xterm's "Control Sequences" document define them.
 *
 * `util.stripVTControlCharacters` knows only the well-formed 7-bit forms: it leaves DCS, SOS, PM and unterminated
 * strings behind, so the grammar is spelled out here. Every repetition excludes its own terminators and
 * introducers, which keeps a match linear on hostile input.
 */

/** CSI … final byte; also cut off before the final byte. */
const CSI = "(?:\\x1b\\[|\\x9b)[\\x30-\\x3f]*[\\x20-\\x2f]*[\\x40-\\x7e]?";

/** What a control string may hold: all but its terminators, cancels (CAN, SUB) and new introducers. */
const PAYLOAD = "[^\\x07\\x18\\x1a\\x1b\\x80-\\x9f]*";

/** DCS, SOS, OSC, PM, APC with their payload, up to BEL, ST or a cancel. */
const TERMINATED_STRING = `(?:\\x1b[PX\\]^_]|[\\x90\\x98\\x9d-\\x9f])${PAYLOAD}(?:[\\x07\\x18\\x1a\\x9c]|\\x1b\\\\)`;

/**
 * A control string that never ends takes the rest of its line with it, no more. Its 8-bit introducers are left
 * to the character filter: they are far more often mis-decoded quotation marks than an attack.
 */
const CUT_OFF_STRING = "\\x1b[PX\\]^_][^\\n\\r\\x07\\x18\\x1a\\x1b\\x80-\\x9f]*";

/** SS2 and SS3 with the one character that they shift. */
const SINGLE_SHIFT = "(?:\\x1b[NO]|[\\x8e\\x8f])[\\x20-\\x7e]?";

/** Every other escape sequence: intermediates and a final byte, or a lone ESC. */
const OTHER = "\\x1b[\\x20-\\x2f]*[\\x30-\\x7e]?";

const SEQUENCE = new RegExp([TERMINATED_STRING, CUT_OFF_STRING, CSI, SINGLE_SHIFT, OTHER].join("|"), "g");
const INTRODUCER = /[\x1b\x80-\x9f]/;

/** Replace every terminal control sequence, 7-bit and 8-bit forms, by `by`. */
export function replaceEscapes(text: string, by: string): string {
	return INTRODUCER.test(text) ? text.replace(SEQUENCE, by) : text;
}
