import type { KeybindingsManager } from "@mariozechner/pi-coding-agent";
import { type Keybinding, type KeyId, matchesKey } from "@mariozechner/pi-tui";
import { ACTS, type BoardKey } from "./press.ts";

/** The part of the host's key bindings that is used. */
export type Bindings = Pick<KeybindingsManager, "matches" | "getKeys">;

/** Keys that the user may have bound differently, by the host's names. Those of acts are in `ACTS`. */
const BOUND: readonly (readonly [Keybinding, BoardKey])[] = [
	["tui.select.up", "up"],
	["tui.select.down", "down"],
	["tui.select.pageUp", "page_up"],
	["tui.select.pageDown", "page_down"],
	// Before the act's own binding, which the hints name.
	["app.session.deleteNoninvasive", "delete"],
	...ACTS.flatMap(({ key, binding }) => (binding ? [[binding, key] as const] : [])),
];

/** Keys of the host's input line: editing the filter must not fork a session. */
const INPUT: readonly Keybinding[] = [
	"tui.editor.cursorLeft",
	"tui.editor.cursorRight",
	"tui.editor.cursorWordLeft",
	"tui.editor.cursorWordRight",
	"tui.editor.cursorLineStart",
	"tui.editor.cursorLineEnd",
	"tui.editor.deleteCharBackward",
	"tui.editor.deleteCharForward",
	"tui.editor.deleteWordBackward",
	"tui.editor.deleteWordForward",
	"tui.editor.deleteToLineStart",
	"tui.editor.deleteToLineEnd",
	"tui.editor.yank",
	"tui.editor.yankPop",
	"tui.editor.undo",
];

/** Keys of acts without a binding in the host, or without one by default. Every binding above wins over them. */
const FIXED: readonly (readonly [KeyId, BoardKey])[] = [
	["ctrl+home", "home"],
	["ctrl+end", "end"],
	...ACTS.flatMap(({ key, fixed }) => (fixed ? [[fixed, key] as const] : [])),
];

/** The meaning of a keystroke on the board; undefined: it belongs to the input line. */
export function keyOf(data: string, bindings: Bindings): BoardKey | undefined {
	const bound = BOUND.find(([binding]) => bindings.matches(data, binding));
	if (bound) return bound[1];
	if (INPUT.some((binding) => bindings.matches(data, binding))) return undefined;
	return FIXED.find(([id]) => matchesKey(data, id))?.[1];
}

/** The first key of each of the board's acts, as hints write it; empty: it has none. */
export function keyNames(bindings: Bindings): Record<BoardKey, string> {
	const names: Partial<Record<BoardKey, string>> = {};
	const taken = new Set(
		[...BOUND.map(([binding]) => binding), ...INPUT].flatMap((it) => bindings.getKeys(it)),
	);
	for (const [id, key] of FIXED) names[key] = taken.has(id) ? "" : id;
	for (const [binding, key] of BOUND)
		names[key] = shortName(bindings.getKeys(binding)[0]) ?? names[key] ?? "";
	return names as Record<BoardKey, string>;
}

function shortName(key: KeyId | undefined): string | undefined {
	return key === "escape" ? "esc" : key;
}
