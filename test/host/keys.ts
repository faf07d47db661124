/** A terminal's bytes for keys, without a keyboard protocol, except for Escape. */
export const KEYS = {
	enter: "\r",
	/** As terminals with a keyboard protocol send it. The plain byte and the next key could arrive together, which means Alt. */
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
