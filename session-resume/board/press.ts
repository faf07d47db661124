import type { Keybinding, KeyId } from "@mariozechner/pi-tui";
import type { BoardWords } from "../../session-core/words/words.ts";
import { type Board, told } from "./board.ts";
import { wordsOf } from "./filter.ts";
import { chosenRow, type List, moved, movedTo, relisted, restarted } from "./list.ts";
import { liveStateOf } from "./live-states.ts";
import type { Mark } from "./marks.ts";
import { NEXT_SORT } from "./order.ts";
import { isNamed, type Row } from "./row.ts";

/** Keys that move a cursor. */
export type MotionKey = "up" | "down" | "page_up" | "page_down" | "home" | "end";

/** Keys of the acts in {@link ACTS}. */
export type ActKey =
	| "confirm"
	| "fork"
	| "rename"
	| "transcript"
	| "delete"
	| "archive"
	| "pin"
	| "scope"
	| "sort"
	| "named"
	| "path"
	| "search"
	| "help"
	| "cancel";

export type BoardKey = MotionKey | ActKey;

/** What a key asks for beyond the board itself. Scans, searches and transcripts follow from the board's state. */
export type Effect =
	| { type: "open" | "fork" | "delete"; row: Row }
	| { type: "rename"; row: Row; name: string }
	| { type: "mark"; row: Row; mark: Mark; on: boolean }
	/** Of the question that is asked, by index; undefined: none of its choices. */
	| { type: "answer"; choice: number | undefined }
	| { type: "close" };

export interface Pressed {
	board: Board;
	effect?: Effect | undefined;
}

/** One thing that can be done on the board. */
export interface BoardAct {
	key: ActKey;
	/** The host's own binding for the same thing: a user who changed it there has changed it here. */
	binding?: Keybinding;
	/** Its key if the host has no binding, or none by default. */
	fixed?: KeyId;
	/** Its name in the hints. */
	label(words: BoardWords, board: Board): string;
	press(board: Board): Pressed;
}

/** All of them, in the order of the hints. */
export const ACTS: readonly BoardAct[] = [
	{
		key: "confirm",
		binding: "tui.select.confirm",
		label: (words, { list }) => (isElsewhere(list) ? words.goThere : words.resume),
		press: confirmed,
	},
	{
		key: "fork",
		binding: "app.session.fork",
		fixed: "ctrl+o",
		label: (words) => words.fork,
		press: (board) => onRow(board, (row) => ({ board, effect: { type: "fork", row } })),
	},
	{
		key: "rename",
		binding: "app.session.rename",
		label: (words) => words.rename,
		press: (board) =>
			onRow(board, (row) => {
				const text = isNamed(row) ? row.title : "";
				return { board: { ...board, mode: { type: "rename", row, text } } };
			}),
	},
	{
		key: "scope",
		binding: "tui.input.tab",
		label: (words, { list }) => (list.scope === "all" ? words.toProject : words.toAll),
		press: otherScope,
	},
	{
		key: "transcript",
		fixed: "ctrl+t",
		label: (words) => words.transcript,
		press: (board) => onRow(board, (row) => ({ board: { ...board, mode: { type: "transcript", row } } })),
	},
	{
		key: "delete",
		binding: "app.session.delete",
		label: (words) => words.delete,
		press: (board) =>
			onRow(board, (row) =>
				row.path === board.list.openPath
					? { board: told(board, board.words.board.notDeletedOpen, "warning") }
					: { board, effect: { type: "delete", row } },
			),
	},
	{
		key: "sort",
		binding: "app.session.toggleSort",
		label: (words) => words.sort,
		press: (board) => listed(board, { sort: NEXT_SORT[board.list.sort] }),
	},
	{
		key: "named",
		binding: "app.session.toggleNamedFilter",
		label: (words, { list }) => (list.namedOnly ? words.unnamedToo : words.namedOnly),
		press: (board) => listed(board, { namedOnly: !board.list.namedOnly }),
	},
	{
		key: "archive",
		fixed: "ctrl+x",
		label: (words, { list }) => (isMarked(list, "archived") ? words.unarchive : words.archive),
		press: marking("archived"),
	},
	{
		key: "pin",
		fixed: "ctrl+l",
		label: (words, { list }) => (isMarked(list, "pinned") ? words.unpin : words.pin),
		press: marking("pinned"),
	},
	{
		key: "path",
		binding: "app.session.togglePath",
		label: (words, { showPath }) => (showPath ? words.noPaths : words.paths),
		press: (board) => ({ board: { ...board, showPath: !board.showPath } }),
	},
	{
		key: "search",
		fixed: "ctrl+g",
		label: (words) => words.searchSaid,
		press: (board) => searching(board, board.list.query.trim()),
	},
	{
		key: "help",
		fixed: "f1",
		label: (words) => words.keys,
		press: (board) => ({ board: { ...board, mode: { type: "help" } } }),
	},
	{
		key: "cancel",
		binding: "tui.select.cancel",
		label: (words, { search, list }) => {
			if (search) return words.back;
			return list.query === "" ? words.close : words.clear;
		},
		press: cancelled,
	},
];

/** What a key does. Pure: whatever touches files, processes or the host is the effect. */
export function press(board: Board, key: BoardKey): Pressed {
	const next = { ...board, notice: undefined };
	const { mode } = next;
	switch (mode.type) {
		case "list":
			return inList(next, key);
		case "help":
			return { board: inListMode(next) };
		case "transcript":
			// The pane scrolls by itself; Enter resumes the session that is read.
			if (key === "confirm" || key === "fork") return act(inListMode(next), key);
			return { board: key === "cancel" || key === "transcript" ? inListMode(next) : next };
		case "rename":
			if (key === "cancel") return { board: inListMode(next) };
			return key === "confirm" ? named(next, mode.row, mode.text.trim()) : { board: next };
		case "question":
			return answering(next, mode, key);
	}
}

/** The input line was edited. */
export function typed(board: Board, text: string): Board {
	const next = { ...board, notice: undefined };
	if (board.mode.type === "rename") return { ...next, mode: { ...board.mode, text } };
	if (board.mode.type !== "list" || text === board.list.query) return next;
	return { ...next, search: undefined, list: restarted(board.list, { query: text, hits: undefined }) };
}

function inListMode(board: Board): Board {
	return { ...board, mode: { type: "list" } };
}

function inList(board: Board, key: BoardKey): Pressed {
	const { cursor, page, items } = board.list;
	const to = (index: number): Pressed => ({ board: { ...board, list: moved(board.list, index) } });
	switch (key) {
		case "up":
			return to(cursor - 1);
		case "down":
			return to(cursor + 1);
		case "page_up":
			return to(cursor - page);
		case "page_down":
			return to(cursor + page);
		case "home":
			return to(0);
		case "end":
			return to(items.length - 1);
		default:
			return act(board, key);
	}
}

function act(board: Board, key: ActKey): Pressed {
	return ACTS.find((one) => one.key === key)?.press(board) ?? { board };
}

function named(board: Board, row: Row, name: string): Pressed {
	if (name === "") return { board: told(board, board.words.board.emptyName, "warning") };
	const effect: Effect | undefined = name === row.title ? undefined : { type: "rename", row, name };
	return { board: inListMode(board), effect };
}

function answering(board: Board, mode: Extract<Board["mode"], { type: "question" }>, key: BoardKey): Pressed {
	const last = mode.labels.length - 1;
	const to = (cursor: number): Pressed => ({
		board: { ...board, mode: { ...mode, cursor: Math.max(0, Math.min(cursor, last)) } },
	});
	switch (key) {
		case "up":
			return to(mode.cursor - 1);
		case "down":
			return to(mode.cursor + 1);
		case "home":
			return to(0);
		case "end":
			return to(last);
		case "confirm":
			return { board: inListMode(board), effect: { type: "answer", choice: mode.cursor } };
		case "cancel":
			return { board: inListMode(board), effect: { type: "answer", choice: undefined } };
		default:
			return { board };
	}
}

function onRow(board: Board, use: (row: Row) => Pressed): Pressed {
	const row = chosenRow(board.list);
	return row ? use(row) : { board };
}

function listed(board: Board, change: Parameters<typeof relisted>[1]): Pressed {
	return { board: { ...board, list: relisted(board.list, change) } };
}

/** Continues with what is under the cursor: a session, a fold, the offer to search. */
function confirmed(board: Board): Pressed {
	const item = board.list.items[board.list.cursor];
	if (item?.type === "search") return searching(board, item.query);
	if (item?.type === "fold") {
		const unfolded = new Set(board.list.unfolded);
		if (!unfolded.delete(item.kind)) unfolded.add(item.kind);
		return listed(board, { unfolded });
	}
	return onRow(board, (row) => {
		if (row.path === board.list.openPath) return { board: told(board, board.words.board.openHere, "info") };
		return { board, effect: { type: row.branches ? "fork" : "open", row } };
	});
}

/** Leaves one thing at a time: the search, then the query, then the board. */
function cancelled(board: Board): Pressed {
	if (board.search)
		return { board: { ...board, search: undefined, list: restarted(board.list, { hits: undefined }) } };
	if (board.list.query === "") return { board, effect: { type: "close" } };
	return { board: { ...board, list: restarted(board.list, { query: "" }) } };
}

/** Hits of another scope would not answer the question on the input line, so a search ends. */
function otherScope(board: Board): Pressed {
	const scope = board.list.scope === "all" ? "project" : "all";
	const list = restarted(board.list, { scope, hits: undefined });
	return { board: { ...board, search: undefined, list: movedTo(list, chosenRow(board.list)) } };
}

function searching(board: Board, query: string): Pressed {
	if (wordsOf(query).length === 0) return { board: told(board, board.words.board.typeFirst, "info") };
	if (board.search?.query === query) return { board };
	const search = { query, searched: 0, running: true };
	return { board: { ...board, search, list: restarted(board.list, { hits: [] }) } };
}

function marking(mark: Mark): (board: Board) => Pressed {
	return (board) =>
		onRow(board, (row) => {
			const on = !board.list.marks[mark].has(row.mark);
			return { board, effect: { type: "mark", row, mark, on } };
		});
}

function isMarked(list: List, mark: Mark): boolean {
	const row = chosenRow(list);
	return row !== undefined && list.marks[mark].has(row.mark);
}

/** Another pi has it open, in a terminal that can be brought to the front. */
function isElsewhere(list: List): boolean {
	const row = chosenRow(list);
	const state = row && liveStateOf(list.live, row);
	return state?.canGo === true && !state.own;
}
