import { moved, restarted } from "./cursor.ts";
import { queried } from "./filter.ts";
import { countOf, itemsOf, rowOfItem } from "./items.ts";
import { wordsOf } from "./match.ts";
import type { Act, Board, BoardEffect, BoardKey, BoardStep, Row } from "./types.ts";

/** What a key does, by what the board is at. */
export function pressed(board: Board, key: BoardKey): BoardStep {
	switch (board.mode.type) {
		case "list":
			return inList(board, key);
		case "rename":
			return inRename(board, key);
		case "question":
			return inQuestion(board, board.mode, key);
	}
}

function inList(board: Board, key: BoardKey): BoardStep {
	switch (key) {
		case "up":
			return still(moved(board, board.cursor - 1));
		case "down":
			return still(moved(board, board.cursor + 1));
		case "page_up":
			return still(moved(board, board.cursor - board.page));
		case "page_down":
			return still(moved(board, board.cursor + board.page));
		case "home":
			return still(moved(board, 0));
		case "end":
			return still(moved(board, board.items.length - 1));
		case "confirm":
			return confirmed(board);
		case "cancel":
			return cancelled(board);
		case "scope":
			return otherScope(board);
		case "fork":
			return check(board, "fork");
		case "rename":
			return renaming(board);
		case "search":
			return searching(board, board.query.trim());
	}
}

function confirmed(board: Board): BoardStep {
	const item = board.items[board.cursor];
	if (item?.type === "search") return searching(board, item.query);
	if (item?.type !== "fold") return check(board, "open");
	const next = { ...board, unfolded: !board.unfolded };
	return still(moved({ ...next, items: itemsOf(next) }, board.cursor));
}

function check(board: Board, act: Act): BoardStep {
	const row = rowOfItem(board.items[board.cursor]);
	if (!row) return still(board);
	if (act === "open" && row.path === board.current.path) {
		return still({ ...board, notice: { text: "This session is open here already.", kind: "info" } });
	}
	return { state: board, effects: [{ type: "check", act: row.branches ? "fork" : act, row }] };
}

/** One thing at a time: the search, then the query, then the board. */
function cancelled(board: Board): BoardStep {
	if (board.search) {
		const next = { ...board, search: undefined };
		return { state: restarted(next, itemsOf(next)), effects: [{ type: "stop_search" }] };
	}
	if (board.query === "") return { state: board, effects: [{ type: "close", leaving: undefined }] };
	const { state, effects } = queried({ ...board, query: "" });
	return { state, effects: [...effects, { type: "input", text: "" }] };
}

function otherScope(board: Board): BoardStep {
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

function renaming(board: Board): BoardStep {
	const row = rowOfItem(board.items[board.cursor]);
	if (!row) return still(board);
	const named = row.titleSource === "manual" || row.titleSource === "auto";
	return {
		state: { ...board, mode: { type: "rename", path: row.path } },
		effects: [{ type: "input", text: named ? row.title : "" }],
	};
}

function inRename(board: Board, key: BoardKey): BoardStep {
	if (key !== "cancel") return still(board);
	return { state: { ...board, mode: { type: "list" } }, effects: [{ type: "input", text: board.query }] };
}

/** The name was typed and confirmed. */
export function submitName(board: Board, text: string): BoardStep {
	if (board.mode.type !== "rename") return still(board);
	const { path } = board.mode;
	const row = board.order.find((one) => one.path === path);
	const name = text.trim();
	if (name === "") return still({ ...board, notice: { text: "A name cannot be empty.", kind: "warning" } });
	const effects: BoardEffect[] = [{ type: "input", text: board.query }];
	if (row && name !== row.title) effects.push({ type: "rename", row, name });
	return { state: { ...board, mode: { type: "list" } }, effects };
}

function searching(board: Board, query: string): BoardStep {
	if (wordsOf(query).length === 0) {
		return still({ ...board, notice: { text: "Type what to search for first.", kind: "info" } });
	}
	if (board.search?.query === query) return still(board);
	const next: Board = { ...board, search: { query, hits: [], searched: 0, running: true } };
	const effects: BoardEffect[] = board.search ? [{ type: "stop_search" }] : [];
	return { state: restarted(next, itemsOf(next)), effects: [...effects, { type: "search", query }] };
}

function inQuestion(
	board: Board,
	mode: Extract<Board["mode"], { type: "question" }>,
	key: BoardKey,
): BoardStep {
	const last = mode.question.choices.length - 1;
	const at = (cursor: number) =>
		still({ ...board, mode: { ...mode, cursor: Math.max(0, Math.min(cursor, last)) } });
	switch (key) {
		case "up":
			return at(mode.cursor - 1);
		case "down":
			return at(mode.cursor + 1);
		case "home":
			return at(0);
		case "end":
			return at(last);
		case "cancel":
			return still({ ...board, mode: { type: "list" } });
		case "confirm": {
			const leaving = mode.question.choices[mode.cursor]?.leads;
			const next: Board = { ...board, mode: { type: "list" } };
			return { state: next, effects: leaving ? [{ type: "close", leaving }] : [] };
		}
		default:
			return still(board);
	}
}

function still(state: Board): BoardStep {
	return { state, effects: [] };
}
