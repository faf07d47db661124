import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { KeyId } from "@mariozechner/pi-tui";
import { clipColumns } from "../text/clip.ts";
import { cleanLine } from "../text/sanitize.ts";
import { BINDINGS_FILE, SHORTCUTS, type ShortcutKeys, type ShortcutName } from "./shortcuts.ts";

export interface Configured {
	keys: ShortcutKeys;
	/** Contains one message for each unusable entry. */
	problems: string[];
}

const NAMES = Object.keys(SHORTCUTS) as ShortcutName[];
const PREFIX = "session-suite.";

/**
 * Returns the suite's keys as bound by the user. As in the host, a key bindings file that cannot be read is ignored, so the default keys
 * apply.
 */
export function readShortcuts(agentDir: string): Configured {
	try {
		return configuredKeys(readFileSync(join(agentDir, BINDINGS_FILE), "utf8"));
	} catch {
		// Missing, or not readable.
		return configuredKeys(undefined);
	}
}

/** Returns the help text for a shortcut, as shown by `--help`, or an empty list if the shortcut has no key. */
export function keyHelp(name: ShortcutName, keys: ShortcutKeys): string[] {
	const bound = keys[name];
	if (bound.length === 0) return [];
	const { id, description } = SHORTCUTS[name];
	return [`${bound.join(", ")}: ${description} (to change the key, set "${id}" in keybindings.json)`];
}

/**
 * Parses the suite's key bindings from the text of the host's key bindings file. The text is undefined if the file does not exist. As in
 * the host, an entry is a key or a list of keys, and replaces the default. A default key is dropped if the user has bound that key to
 * something else.
 */
export function configuredKeys(text: string | undefined): Configured {
	if (text === undefined) return { keys: keysBy(() => undefined), problems: [] };
	const config = parsed(text);
	if (!config) {
		const problem = `${BINDINGS_FILE}: not a JSON object, so the suite's keys keep their defaults.`;
		return { keys: keysBy(() => undefined), problems: [problem] };
	}
	const problems: string[] = [];
	const taken = new Set(
		Object.entries(config).flatMap(([id, value]) => (id.startsWith(PREFIX) ? [] : (listOf(value) ?? []))),
	);
	const keys = keysBy((name) => {
		const { id, key } = SHORTCUTS[name];
		const value = config[id];
		if (value === undefined) return taken.has(key) ? [] : undefined;
		const list = listOf(value);
		if (list?.every(isShortcutKey)) return list.filter(isShortcutKey);
		problems.push(
			`${BINDINGS_FILE}: "${id}" is ${shown(value)}, which is not valid. Use one key or a list of keys, or [] for none. Each key must be a function key or include ctrl, alt or super, such as "${key}". Until this is fixed, ${key} is used.`,
		);
		return undefined;
	});
	const known = new Set(NAMES.map((name) => SHORTCUTS[name].id));
	for (const id of Object.keys(config)) {
		if (!id.startsWith(PREFIX) || known.has(id)) continue;
		problems.push(
			`${BINDINGS_FILE}: unknown name "${cleanLine(id).slice(0, 60)}". Valid names: ${[...known].join(", ")}.`,
		);
	}
	return { keys, problems };
}

function keysBy(keysOf: (name: ShortcutName) => readonly KeyId[] | undefined): ShortcutKeys {
	const entries = NAMES.map((name) => [name, keysOf(name) ?? [SHORTCUTS[name].key]] as const);
	return Object.fromEntries(entries) as Record<ShortcutName, readonly KeyId[]>;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
	try {
		const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
		return typeof value === "object" && value !== null && !Array.isArray(value)
			? (value as Record<string, unknown>)
			: undefined;
	} catch {
		// The host already reports the problems of this file.
		return undefined;
	}
}

function listOf(value: unknown): string[] | undefined {
	const list: unknown = typeof value === "string" ? [value] : value;
	if (!Array.isArray(list)) return undefined;
	const texts = list.filter((it) => typeof it === "string");
	return texts.length === list.length ? texts.map((it) => it.toLowerCase()) : undefined;
}

/** Matches the names of special keys, as listed in the host's docs/keybindings.md. */
const SPECIAL =
	/^(?:escape|esc|enter|return|tab|space|backspace|delete|insert|clear|home|end|pageup|pagedown|up|down|left|right)$/;

/** Whether a key can be a shortcut. Keys that type text in the editor are not allowed. */
export function isShortcutKey(text: string): text is KeyId {
	const { modifiers = "", key = "" } =
		/^(?<modifiers>(?:(?:ctrl|shift|alt|super)\+)*)(?<key>.+)$/.exec(text)?.groups ?? {};
	const parts = modifiers.split("+").filter(Boolean);
	if (new Set(parts).size < parts.length) return false;
	if (/^f(?:[1-9]|1[0-2])$/.test(key)) return true;
	const isKey = SPECIAL.test(key) || /^[!-~]$/.test(key);
	return isKey && parts.some((part) => part !== "shift");
}

function shown(value: unknown): string {
	return clipColumns(cleanLine(JSON.stringify(value) ?? "nothing"), 40);
}
