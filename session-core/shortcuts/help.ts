import { SHORTCUTS, type ShortcutKeys, type ShortcutName } from "./shortcuts.ts";

/** The note of `--help` about a key; none where it is bound to nothing. */
export function keyHelp(name: ShortcutName, keys: ShortcutKeys): string[] {
	const bound = keys[name];
	if (bound.length === 0) return [];
	const { id, description } = SHORTCUTS[name];
	return [`${bound.join(", ")}: ${description} ("${id}" in keybindings.json changes the key)`];
}
