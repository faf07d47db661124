import { moved, relisted, restarted } from "./cursor.ts";
import { queried, reordered } from "./filter.ts";
import { countOf, isNamed, itemsOf, rowOfItem } from "./items.ts";
import { wordsOf } from "./match.ts";
import type { Board, BoardEffect, BoardStep, Mark, Row, Sort } from "./types.ts";

/** What the keys of the acts do in the list. */

/** Goes on with what is under the cursor: a session, a fold, the offer to search. */
export function confirmed(board: Board): BoardStep {
	const item = board.items[board.cursor];
	if (item?.type === "search") return searching(board, item.query);
	if (item?.type !== "fold") return check(board, "open");
	const unfolded = new Set(board.unfolded);
	if (!unfolded.delete(item.kind)) unfolded.add(item.kind);
	const next = { ...board, unfolded };
	return still(relisted(next, itemsOf(next)));
}

/** Go on with the session in a copy. */
export function forking(board: Board): BoardStep {
	return check(board, "fork");
}

/** Delete the session under the cursor, when it was looked at and asked. */
export function deleting(board: Board): BoardStep {
	const row = rowOfItem(board.items[board.cursor]);
	if (!row) return still(board);
	if (row.path === board.current.path) {
		return still({ ...board, notice: { text: board.words.board.notDeletedOpen, kind: "warning" } });
	}
	return { state: board, effects: [{ type: "check", act: "delete", row }] };
}

function check(board: Board, act: "open" | "fork"): BoardStep {
	const row = rowOfItem(board.items[board.cursor]);
	if (!row) return still(board);
	if (act === "open" && row.path === board.current.path) {
		return still({ ...board, notice: { text: board.words.board.openHere, kind: "info" } });
	}
	return { state: board, effects: [{ type: "check", act: row.branches ? "fork" : act, row }] };
}

/** One thing at a time: the search, then the query, then the board. */
export function cancelled(board: Board): BoardStep {
	if (board.search) {
		const next = { ...board, search: undefined };
		return { state: restarted(next, itemsOf(next)), effects: [{ type: "stop_search" }] };
	}
	if (board.query === "") return { state: board, effects: [{ type: "close", leaving: undefined }] };
	const { state, effects } = queried({ ...board, query: "" });
	return { state, effects: [...effects, { type: "input", text: "" }] };
}

/** This project's sessions, or all. */
export function otherScope(board: Board): BoardStep {
	const scope = board.scope === "all" ? "project" : "all";
	const isNew = board.scan[scope] === "waiting";
	const scan = isNew ? { ...board.scan, [scope]: "running" as const } : board.scan;
	// Hits of another scope would answer another question than the one on the line.
	const { state, effects } = queried({
		...board,
		scope,
		scan,
		search: undefined,
		count: countOf({ ...board, scope }),
	});
	const stop: BoardEffect[] = board.search ? [{ type: "stop_search" }] : [];
	const look: BoardEffect[] = isNew ? [{ type: "scan", scope }] : [];
	return {
		state: onRow(state, rowOfItem(board.items[board.cursor])),
		effects: [...stop, ...effects, ...look],
	};
}

/** The cursor on this session, if it is listed. */
function onRow(board: Board, row: Row | undefined): Board {
	const index = board.items.findIndex((item) => row !== undefined && rowOfItem(item)?.path === row.path);
	return index < 0 ? board : moved(board, index);
}

/** The order that the key goes to next. */
const SORTS: Readonly<Record<Sort, Sort>> = {
	needs_you: "newest",
	newest: "threads",
	threads: "name",
	name: "project",
	project: "needs_you",
};

/** The list in the next order. */
export function otherSort(board: Board): BoardStep {
	return reordered({ ...board, sort: SORTS[board.sort] });
}

/** Only sessions that have a name, or all. */
export function namedOrAll(board: Board): BoardStep {
	return reordered({ ...board, namedOnly: !board.namedOnly });
}

/** The files' paths, or what is next. */
export function pathOrNext(board: Board): BoardStep {
	return still({ ...board, showPath: !board.showPath });
}

/** Set a mark on the session under the cursor, or take it away. */
export function marking(mark: Mark): (board: Board) => BoardStep {
	return (board) => {
		const row = rowOfItem(board.items[board.cursor]);
		if (!row) return still(board);
		return { state: board, effects: [{ type: "mark", row, mark, on: !board.marks[mark].has(row.mark) }] };
	};
}

/** What was said last in the session under the cursor. */
export function reading(board: Board): BoardStep {
	const row = rowOfItem(board.items[board.cursor]);
	if (!row) return still(board);
	return { state: { ...board, mode: { type: "transcript" } }, effects: [{ type: "transcript", row }] };
}

/** The name is edited in the input line. */
export function renaming(board: Board): BoardStep {
	const row = rowOfItem(board.items[board.cursor]);
	if (!row) return still(board);
	return {
		state: { ...board, mode: { type: "rename", path: row.path } },
		effects: [{ type: "input", text: isNamed(row) ? row.title : "" }],
	};
}

/** Searches everything that was said for what stands in the filter line. */
export function searchingQuery(board: Board): BoardStep {
	return searching(board, board.query.trim());
}

function searching(board: Board, query: string): BoardStep {
	if (wordsOf(query).length === 0) {
		return still({ ...board, notice: { text: board.words.board.typeFirst, kind: "info" } });
	}
	if (board.search?.query === query) return still(board);
	const next: Board = { ...board, search: { query, hits: [], searched: 0, running: true } };
	const effects: BoardEffect[] = board.search ? [{ type: "stop_search" }] : [];
	return { state: restarted(next, itemsOf(next)), effects: [...effects, { type: "search", query }] };
}

function still(state: Board): BoardStep {
	return { state, effects: [] };
}
