import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ExtensionAPI, type ExtensionContext, getAgentDir } from "@mariozechner/pi-coding-agent";
import type { KeyId } from "@mariozechner/pi-tui";

export type ShortcutName = "recap" | "card" | "next" | "board";

export interface Shortcut {
	/** In the host's keybindings.json. */
	id: string;
	/** By default: bound to nothing in the hosts 0.73.1 and 0.87.1, and sent by terminals without a keyboard protocol. */
	key: KeyId;
	/** In the host's `/hotkeys`. */
	description: string;
}

/** The keys of the suite. Each extension registers its own. */
export const SHORTCUTS: Readonly<Record<ShortcutName, Shortcut>> = {
	recap: {
		id: "session-suite.recap",
		key: "alt+r",
		description: "Show where this session stands, or hide it",
	},
	card: { id: "session-suite.card", key: "alt+c", description: "Show this session's card, or hide it" },
	next: { id: "session-suite.next", key: "alt+n", description: "Put the first next step into the editor" },
	board: { id: "session-suite.board", key: "alt+s", description: "All sessions" },
};

/** What each is bound to; empty: to nothing. */
export type ShortcutKeys = Readonly<Record<ShortcutName, readonly KeyId[]>>;

/** The file in the agent folder in which the host keeps its key bindings. */
export const BINDINGS_FILE = "keybindings.json";

type Runs = Partial<Record<ShortcutName, (ctx: ExtensionContext) => void>>;

/**
 * Register what the keys do. In `session_start`, because the host collects shortcuts right after it: what is returned must
 * be returned from there. Without a file of key bindings nothing is read and nothing is waited for.
 */
export function registerShortcuts(
	pi: Pick<ExtensionAPI, "registerShortcut">,
	runs: Runs,
	readKeys: (agentDir: string) => Promise<ShortcutKeys>,
): Promise<void> | undefined {
	const names = Object.keys(runs) as ShortcutName[];
	const register = (name: ShortcutName, keys: readonly KeyId[]) => {
		const handler = runs[name];
		const { description } = SHORTCUTS[name];
		if (handler) for (const key of keys) pi.registerShortcut(key, { description, handler });
	};
	const agentDir = getAgentDir();
	if (existsSync(join(agentDir, BINDINGS_FILE))) {
		return readKeys(agentDir).then((keys) => {
			for (const name of names) register(name, keys[name]);
		});
	}
	for (const name of names) register(name, [SHORTCUTS[name].key]);
	return undefined;
}
