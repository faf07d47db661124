/** The bytes that a terminal without a keyboard protocol sends for keys. Escape is an exception. */
export const KEYS = {
	enter: "\r",
	/**
	 * Escape as terminals with a keyboard protocol send it. If the plain byte and the next key arrived
	 * together, they would be read as Alt and that key.
	 */
	escape: "\x1b[27u",
	tab: "\t",
	backspace: "\x7f",
	up: "\x1b[A",
	down: "\x1b[B",
	left: "\x1b[D",
	home: "\x1b[H",
	end: "\x1b[F",
	"ctrl+a": "\x01",
	"ctrl+c": "\x03",
	"ctrl+d": "\x04",
	"ctrl+g": "\x07",
	"ctrl+l": "\x0c",
	"ctrl+o": "\x0f",
	"ctrl+p": "\x10",
	"ctrl+r": "\x12",
	"ctrl+s": "\x13",
	"ctrl+t": "\x14",
	"ctrl+u": "\x15",
	"ctrl+x": "\x18",
	"ctrl+z": "\x1a",
	"alt+c": "\x1bc",
	"alt+n": "\x1bn",
	"alt+r": "\x1br",
	"alt+s": "\x1bs",
	"alt+w": "\x1bw",
	f6: "\x1b[17~",
} as const;

export type Key = keyof typeof KEYS;

/** Focus reports (DECSET 1004). */
export const FOCUS_IN = "\x1b[I";
export const FOCUS_OUT = "\x1b[O";
