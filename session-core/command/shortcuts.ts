import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ExtensionAPI, type ExtensionContext, getAgentDir } from "@mariozechner/pi-coding-agent";
import type { KeyId } from "@mariozechner/pi-tui";
import { lazily } from "../host/lazily.ts";

export type ShortcutName = "recap" | "card" | "next" | "board" | "waiting";

export interface Shortcut {
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

type Runs = Partial<Record<ShortcutName, (ctx: ExtensionContext) => void>>;

/**
 * Registers the actions of the shortcuts. Call this function in `session_start` and return its result, because the host collects shortcuts
 * right after that event. If there is no key bindings file, nothing is read or awaited.
 */
export function registerShortcuts(
	pi: Pick<ExtensionAPI, "registerShortcut">,
	runs: Runs,
): Promise<void> | undefined {
	const names = Object.keys(runs) as ShortcutName[];
	const register = (name: ShortcutName, keys: readonly KeyId[]) => {
		const handler = runs[name];
		const { description } = SHORTCUTS[name];
		if (handler) for (const key of keys) pi.registerShortcut(key, { description, handler });
	};
	const agentDir = getAgentDir();
	if (existsSync(join(agentDir, BINDINGS_FILE))) {
		return lazily(() => import("./key-bindings.ts")).then(({ readShortcuts }) => {
			const { keys } = readShortcuts(agentDir);
			for (const name of names) register(name, keys[name]);
		});
	}
	for (const name of names) register(name, [SHORTCUTS[name].key]);
	return undefined;
}
