import type { KeyId } from "@mariozechner/pi-tui";

export type ShortcutName = "recap" | "card" | "next" | "board" | "waiting";

interface Shortcut {
	/** The shortcut's name in the host's keybindings.json. */
	id: string;
	/** The default key. It is unbound in pi 0.73.1 and 0.87.1, and even terminals without an extended keyboard protocol can send it. */
	key: KeyId;
	/** The shortcut's description in the host's `/hotkeys`. */
	description: string;
}

/** The suite's keyboard shortcuts. Each extension registers its own. */
export const SHORTCUTS: Readonly<Record<ShortcutName, Shortcut>> = {
	recap: {
		id: "session-suite.recap",
		key: "alt+r",
		description: "Show a recap of this session, or hide it",
	},
	card: { id: "session-suite.card", key: "alt+c", description: "Show this session's card, or hide it" },
	next: { id: "session-suite.next", key: "alt+n", description: "Put the next step into the editor" },
	board: { id: "session-suite.board", key: "alt+s", description: "All sessions" },
	waiting: {
		id: "session-suite.waiting",
		key: "alt+w",
		description: "Go to the next session that is waiting for you",
	},
};

/** The keys of each shortcut; an empty list if it is unbound. */
export type ShortcutKeys = Readonly<Record<ShortcutName, readonly KeyId[]>>;

/** The file in the agent folder in which the host keeps its key bindings. */
export const BINDINGS_FILE = "keybindings.json";
