import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { KeyId } from "@mariozechner/pi-tui";
import { getAgentDir } from "../host/pi.ts";

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

const NAMES = Object.keys(SHORTCUTS) as ShortcutName[];
const PREFIX = "session-suite.";
/** Matches function keys, and keys with ctrl, alt or super. All other keys type or edit text. */
const KEY = /^(?:(?:ctrl|shift|alt|super)\+)*(?:f(?:[1-9]|1[0-2])|(?<=(?:ctrl|alt|super)\+(?:shift\+)*)\S+)$/;

/** The user's bindings in the host's `keybindings.json`, by id. */
type Bindings = Readonly<Record<string, unknown>>;

export interface Configured {
	keys: ShortcutKeys;
	/** Contains one message for each unusable entry. It must be sanitized before it is shown. */
	problems: string[];
}

/** Reads the file itself, because on a reload the host reads it only after `session_start`, and it drops invalid entries silently. */
export function readShortcuts(): Configured {
	try {
		const text = readFileSync(join(getAgentDir(), "keybindings.json"), "utf8").replace(/^\uFEFF/, "");
		return configuredKeys({ ...JSON.parse(text) });
	} catch {
		// There is no such file, or the host reports that it cannot be read.
		return configuredKeys({});
	}
}

/**
 * Returns the suite's keys. As in the host, an entry is a key or a list of keys, and replaces the default. A default key is dropped if the
 * user has bound that key to something else.
 */
export function configuredKeys(bindings: Bindings): Configured {
	const problems: string[] = [];
	const listOf = (id: string) => [bindings[id] ?? []].flat().map((key) => String(key).toLowerCase());
	const others = Object.keys(bindings).filter((id) => !id.startsWith(PREFIX));
	const taken = new Set(others.flatMap(listOf));
	const keysOf = ({ id, key }: Shortcut): readonly string[] => {
		if (bindings[id] === undefined) return taken.has(key) ? [] : [key];
		const list = listOf(id);
		if (list.every((one) => KEY.test(one))) return list;
		problems.push(
			`keybindings.json: "${id}" is ${JSON.stringify(bindings[id]).slice(0, 60)}, which is not valid. Use one key or a list of keys, or [] for none. Each key must be a function key or include ctrl, alt or super, such as "${key}". Until this is fixed, ${key} is used.`,
		);
		return [key];
	};
	const keys = Object.fromEntries(NAMES.map((name) => [name, keysOf(SHORTCUTS[name])]));
	const known = NAMES.map((name) => SHORTCUTS[name].id);
	for (const id of Object.keys(bindings).filter((id) => id.startsWith(PREFIX) && !known.includes(id)))
		problems.push(`keybindings.json: unknown name "${id.slice(0, 60)}". Valid names: ${known.join(", ")}.`);
	return { keys: keys as ShortcutKeys, problems };
}

/** Registers the actions of the shortcuts. Call this function in `session_start`, because the host collects shortcuts right after it. */
export function registerShortcuts(
	pi: Pick<ExtensionAPI, "registerShortcut">,
	runs: Partial<Record<ShortcutName, (ctx: ExtensionContext) => void>>,
): void {
	const { keys } = readShortcuts();
	for (const name of NAMES) {
		const handler = runs[name];
		const { description } = SHORTCUTS[name];
		if (handler) for (const key of keys[name]) pi.registerShortcut(key, { description, handler });
	}
}

/** Returns the help text for a shortcut, as shown by `--help`, or an empty list if the shortcut has no key. */
export function keyHelp(name: ShortcutName, keys: ShortcutKeys): string[] {
	const bound = keys[name];
	if (bound.length === 0) return [];
	const { id, description } = SHORTCUTS[name];
	return [`${bound.join(", ")}: ${description} (to change the key, set "${id}" in keybindings.json)`];
}
