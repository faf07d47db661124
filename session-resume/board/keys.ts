import {
	type Keybinding,
	type KeybindingsManager,
	type KeyId,
	matchesKey,
	TUI_KEYBINDINGS,
} from "../../session-core/pi/index.ts";
import { canGo, type Mark, whyNotAnswered } from "../../session-core/sessions/index.ts";
import { isOpenHere, type List } from "./list.ts";

/**
 * `binding` is pi's key binding for the same action, which the user may have changed. `fixed` is the
 * default key if pi has no such binding. If `label` is empty, the action does not apply to the selected
 * row.
 */
interface BoardAct<Key extends string> {
	key: Key;
	binding?: Keybinding;
	fixed?: KeyId;
	label: string | ((list: List) => string);
	help: string;
}

function inOrder<const Key extends string>(acts: readonly BoardAct<Key>[]): readonly BoardAct<Key>[] {
	return acts;
}

/**
 * The order of the actions matters, because a narrow terminal shows only the first hints and the last
 * two.
 */
export const ACTS = inOrder([
	{
		key: "answer",
		fixed: "f2",
		label: ({ row }) => (row && !isOpenHere(row) && !whyNotAnswered(row) ? "answer" : ""),
		help: "answer a session that is waiting in another terminal",
	},
	{
		key: "confirm",
		binding: "tui.select.confirm",
		label: ({ row }) => (row?.lease && canGo(row.lease) && !isOpenHere(row) ? "go there" : "resume"),
		help: "resume the session, or go to its terminal if it is open",
	},
	{
		key: "fork",
		binding: "app.session.fork",
		fixed: "ctrl+o",
		label: "fork",
		help: "fork the session: continue in a copy of it",
	},
	{ key: "rename", binding: "app.session.rename", label: "rename", help: "rename the session" },
	{
		key: "scope",
		binding: "tui.input.tab",
		label: ({ scope }) => (scope === "all" ? "this project" : "all"),
		help: "switch between this project and all projects",
	},
	{ key: "transcript", fixed: "ctrl+t", label: "transcript", help: "show the last messages" },
	{ key: "delete", binding: "app.session.delete", label: "delete", help: "move the session to the trash" },
	{ key: "sort", binding: "app.session.toggleSort", label: "sort", help: "change the order of the list" },
	{
		key: "archive",
		fixed: "ctrl+x",
		label: (list) => (isMarked(list, "archived") ? "unarchive" : "archive"),
		help: "archive or unarchive the session",
	},
	{
		key: "pin",
		fixed: "ctrl+l",
		label: (list) => (isMarked(list, "pinned") ? "unpin" : "pin"),
		help: "pin the session to the top, or unpin it",
	},
	{ key: "note", fixed: "f3", label: "ask for a note", help: "ask a model for a note on the session" },
	{ key: "search", fixed: "ctrl+g", label: "search messages", help: "search the text of all messages" },
	{ key: "help", fixed: "f1", label: "keys", help: "show or close this help" },
	{
		key: "cancel",
		binding: "tui.select.cancel",
		label: ({ search, query }) => (search && "back") || (query === "" ? "close" : "clear"),
		help: "clear the filter, or close the board",
	},
]);

function isMarked({ row, marks }: List, mark: Mark): boolean {
	return row !== undefined && marks[mark].has(row.mark);
}

type Motion = "up" | "down" | "page_up" | "page_down" | "home" | "end";
export type BoardKey = (typeof ACTS)[number]["key"] | Motion;

export type Bindings = Pick<KeybindingsManager, "matches" | "getKeys">;

const BOUND: readonly (readonly [Keybinding, BoardKey])[] = [
	["tui.select.up", "up"],
	["tui.select.down", "down"],
	["tui.select.pageUp", "page_up"],
	["tui.select.pageDown", "page_down"],
	// If an action has several bindings, the hints show the one that is listed last.
	["app.session.deleteNoninvasive", "delete"],
	...ACTS.flatMap(({ key, binding }) => (binding ? [[binding, key] as const] : [])),
];

/**
 * The board does not override editing keys, so editing the filter cannot start an action such as
 * forking.
 */
const INPUT = (Object.keys(TUI_KEYBINDINGS) as Keybinding[]).filter((name) => name.startsWith("tui.editor."));

/**
 * Keys for board actions to which pi assigns no default key. If the user has bound one of these keys to
 * a pi action, the pi action takes precedence.
 */
const FIXED: readonly (readonly [KeyId, BoardKey])[] = [
	["ctrl+home", "home"],
	["ctrl+end", "end"],
	...ACTS.flatMap(({ key, fixed }) => (fixed ? [[fixed, key] as const] : [])),
];

export function boardKeyOf(data: string, bindings: Bindings): BoardKey | undefined {
	const bound = BOUND.find(([binding]) => bindings.matches(data, binding));
	if (bound) return bound[1];
	if (INPUT.some((binding) => bindings.matches(data, binding))) return undefined;
	return FIXED.find(([id]) => matchesKey(data, id))?.[1];
}

export function keyNames(bindings: Bindings): Record<BoardKey, string> {
	const names: Partial<Record<BoardKey, string>> = {};
	const bound = [...BOUND.map(([binding]) => binding), ...INPUT];
	const taken = new Set(bound.flatMap((binding) => bindings.getKeys(binding)));
	for (const [id, key] of FIXED) names[key] = taken.has(id) ? "" : id;
	for (const [binding, key] of BOUND) {
		const [name = names[key] ?? ""] = bindings.getKeys(binding);
		names[key] = name === "escape" ? "esc" : name;
	}
	return names as Record<BoardKey, string>;
}

export function moveCursor(
	key: BoardKey,
	{ cursor, page, last }: { cursor: number; page: number; last: number },
): number | undefined {
	const moves: Partial<Record<BoardKey, number>> = {
		up: cursor - 1,
		down: cursor + 1,
		page_up: cursor - page,
		page_down: cursor + page,
		home: 0,
		end: last,
	};
	const to = moves[key];
	return to === undefined ? undefined : Math.max(0, Math.min(to, last));
}
