import {
	type Keybinding,
	type KeybindingsManager,
	type KeyId,
	matchesKey,
	TUI_KEYBINDINGS,
} from "../../session-core/pi/index.ts";
import { whyNotAnswered } from "../../session-core/sessions/index.ts";
import { type BoardState, chosenRow, type List } from "./list.ts";

type MotionKey = "up" | "down" | "page_up" | "page_down" | "home" | "end";

interface BoardAct<Key extends string> {
	key: Key;
	/** The host's own key binding for the same action. If the user changed that binding, the change applies here, too. */
	binding?: Keybinding;
	/** The key that is used if the host has no binding for the action, or has none by default. */
	fixed?: KeyId;
	/** Returns a short hint; empty if the action makes no sense for the row under the cursor. */
	label(board: BoardState): string;
	help: string;
}

function inOrder<const Key extends string>(acts: readonly BoardAct<Key>[]): readonly BoardAct<Key>[] {
	return acts;
}

export const ACTS = inOrder([
	{
		key: "confirm",
		binding: "tui.select.confirm",
		label: ({ list }) => (isElsewhere(list) ? "go there" : "resume"),
		help: "resume the session, or go to its terminal if it is open",
	},
	{
		key: "answer",
		fixed: "f2",
		label: ({ list }) => (isAnswerable(list) ? "answer" : ""),
		help: "answer a session that is waiting in another terminal",
	},
	{
		key: "fork",
		binding: "app.session.fork",
		fixed: "ctrl+o",
		label: () => "fork",
		help: "fork the session: continue in a copy of it",
	},
	{ key: "rename", binding: "app.session.rename", label: () => "rename", help: "rename the session" },
	{
		key: "scope",
		binding: "tui.input.tab",
		label: ({ list }) => (list.scope === "all" ? "this project" : "all"),
		help: "switch between this project and all projects",
	},
	{ key: "transcript", fixed: "ctrl+t", label: () => "transcript", help: "show the last messages" },
	{
		key: "delete",
		binding: "app.session.delete",
		label: () => "delete",
		help: "move the session to the trash",
	},
	{
		key: "sort",
		binding: "app.session.toggleSort",
		label: () => "sort",
		help: "change the order of the list",
	},
	{
		key: "archive",
		fixed: "ctrl+x",
		label: ({ list }) => (isMarked(list, "archived") ? "unarchive" : "archive"),
		help: "archive or unarchive the session",
	},
	{
		key: "pin",
		fixed: "ctrl+l",
		label: ({ list }) => (isMarked(list, "pinned") ? "unpin" : "pin"),
		help: "pin the session to the top, or unpin it",
	},
	{ key: "note", fixed: "f3", label: () => "ask for a note", help: "ask a model for a note on the session" },
	{ key: "search", fixed: "ctrl+g", label: () => "search messages", help: "search the text of all messages" },
	{ key: "help", fixed: "f1", label: () => "keys", help: "show or close this help" },
	{
		key: "cancel",
		binding: "tui.select.cancel",
		label: ({ list }) => {
			if (list.search) return "back";
			return list.query === "" ? "close" : "clear";
		},
		help: "clear the filter, or close the board",
	},
]);

type ActKey = (typeof ACTS)[number]["key"];

export type BoardKey = MotionKey | ActKey;

function isMarked(list: List, mark: keyof List["marks"]): boolean {
	const row = chosenRow(list);
	return row !== undefined && list.marks[mark].has(row.mark);
}

function isElsewhere(list: List): boolean {
	const live = chosenRow(list)?.live;
	return live?.canGo === true && !live.own;
}

function isAnswerable(list: List): boolean {
	const row = chosenRow(list);
	return row?.live?.own === false && whyNotAnswered(row) === undefined;
}

export type Bindings = Pick<KeybindingsManager, "matches" | "getKeys">;

/** The host's bindings, which the user may have changed. The bindings of actions are in `ACTS`. */
const BOUND: readonly (readonly [Keybinding, BoardKey])[] = [
	["tui.select.up", "up"],
	["tui.select.down", "down"],
	["tui.select.pageUp", "page_up"],
	["tui.select.pageDown", "page_down"],
	// This binding must precede the delete action's own binding, so that the hints show the latter.
	["app.session.deleteNoninvasive", "delete"],
	...ACTS.flatMap(({ key, binding }) => (binding ? [[binding, key] as const] : [])),
];

/** Keys of the host's input line keep their editing functions: editing the filter must not fork a session. */
const INPUT = (Object.keys(TUI_KEYBINDINGS) as Keybinding[]).filter((name) => name.startsWith("tui.editor."));

/** Keys for actions that the host does not bind to a key, at least not by default. The host's bindings take precedence over them. */
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

/** Returns the key that the hints show for each board action: the first key that is bound to it, or an empty string if none is bound. */
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

/** Returns the position to which a key moves a cursor, which may be outside the list; undefined if the key does not move a cursor. */
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
	return moves[key];
}
