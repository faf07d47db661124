import type { BoardWords, Words } from "../../session-core/words/words.ts";
import { decide, wentThere } from "./acts.ts";
import { relisted, resized } from "./cursor.ts";
import { forGoodQuestion } from "./delete-question.ts";
import { continued, queried, refreshed, reordered } from "./filter.ts";
import { countOf, itemsOf, rowOfItem } from "./items.ts";
import { withLive, withRows } from "./order.ts";
import { pressed, submitName } from "./press.ts";
import { renamed } from "./row.ts";
import type { Board, BoardEffect, BoardEvent, BoardStep, Hit, Mark, Marks, Row, Scope } from "./types.ts";

export interface BoardStart {
	scope: Scope;
	query: string;
	current: Board["current"];
	/** Lines of the list in the terminal as it is. */
	page: number;
	marks: Marks;
	words: Words;
}

/** A board that is about to open: empty, and its scan asked for. */
export function openBoard({ scope, query, current, page, marks, words }: BoardStart): BoardStep {
	const state: Board = {
		scope,
		scan: { project: "waiting", all: "waiting", [scope]: "running" },
		order: [],
		count: 0,
		live: [],
		query,
		filter: undefined,
		found: undefined,
		unfolded: new Set(),
		sort: "needs_you",
		namedOnly: false,
		showPath: false,
		marks,
		search: undefined,
		items: [],
		cursor: 0,
		top: 0,
		page,
		mode: { type: "list" },
		notice: undefined,
		previews: new Map(),
		sessionFacts: new Map(),
		words,
		current,
	};
	const input: BoardEffect[] = query === "" ? [] : [{ type: "input", text: query }];
	return { state, effects: [...input, { type: "scan", scope }] };
}

/** Advance the board by one event. Pure: whatever touches files, processes or the host goes out as effects. */
export function step(board: Board, event: BoardEvent): BoardStep {
	switch (event.type) {
		case "key":
			return pressed({ ...board, notice: undefined }, event.key);
		case "typed":
			return typed({ ...board, notice: undefined }, event.text);
		case "named":
			return submitName({ ...board, notice: undefined }, event.text);
		case "resized":
			return still(resized(board, event.page));
		case "rows":
			return added(board, event.rows);
		case "scanned":
			return scanned(board, event.scope, event.seen);
		case "live":
			return refreshed({
				...board,
				live: event.live,
				order: withLive(board.order, board.live, { ...board, live: event.live }),
			});
		case "more":
			return continued(board);
		case "hits":
			return still(withHits(board, event));
		case "checked":
			return decide(board, event.act, event.facts);
		case "marks":
			return reordered({
				...board,
				marks: event.marks,
				notice: event.told ? { text: markedText(event.told, board.words.board), kind: "info" } : board.notice,
			});
		case "deleted":
			return deleted(board, event);
		case "went":
			return wentThere(board, event.facts, event.outcome);
		case "not_marked":
			return still({
				...board,
				notice: { text: board.words.board.notMarked(event.detail), kind: "warning" },
			});
		case "renamed":
			return named(board, event);
		case "facts":
			return still({ ...board, sessionFacts: new Map(board.sessionFacts).set(event.path, event) });
		case "previewed":
			return still({ ...board, previews: new Map(board.previews).set(event.path, event.preview) });
	}
}

const MARKED = {
	pinned: ["pinned", "unpinned"],
	archived: ["archived", "unarchived"],
} as const satisfies Readonly<Record<Mark, readonly [on: keyof BoardWords, off: keyof BoardWords]>>;

function markedText({ mark, on }: { mark: Mark; on: boolean }, words: BoardWords): string {
	const [set, unset] = MARKED[mark];
	return words[on ? set : unset];
}

/** The row under the cursor. */
export function chosenRow(board: Board): Row | undefined {
	return rowOfItem(board.items[board.cursor]);
}

function typed(board: Board, text: string): BoardStep {
	if (board.mode.type !== "list" || text === board.query) return still(board);
	const { state, effects } = queried({ ...board, query: text, search: undefined });
	return { state, effects: board.search ? [{ type: "stop_search" }, ...effects] : effects };
}

function added(board: Board, rows: readonly Row[]): BoardStep {
	if (rows.length === 0) return still(board);
	const search = board.search && { ...board.search, hits: inNewState(board.search.hits, rows) };
	return counted({ ...board, search, order: withRows(board.order, rows, board) });
}

/** Hits keep the row that they were found in; here it is replaced by its newer state. */
function inNewState(hits: readonly Hit[], rows: readonly Row[]): Hit[] {
	const byPath = new Map(rows.map((row) => [row.path, row]));
	return hits.map((hit) => ({ ...hit, row: byPath.get(hit.row.path) ?? hit.row }));
}

function counted(board: Board): BoardStep {
	return refreshed({ ...board, count: countOf(board) });
}

function scanned(board: Board, scope: Scope, seen: ReadonlySet<string>): BoardStep {
	const scan = { ...board.scan, [scope]: "done" as const };
	// A scan of everything has been through the project, too.
	if (scope === "all") scan.project = "done";
	const stays = (row: Row) => (scope === "project" && !row.here) || seen.has(row.path);
	const order = board.order.filter(stays);
	const next = { ...board, scan };
	if (order.length === board.order.length) return still(next);
	return counted({ ...next, order });
}

function withHits(board: Board, event: Extract<BoardEvent, { type: "hits" }>): Board {
	const { search } = board;
	// Late answers of a search that was given up.
	if (!search || search.query !== event.query) return board;
	const hits = [...search.hits, ...event.hits];
	const next = { ...board, search: { ...search, hits, searched: event.searched, running: !event.done } };
	return relisted(next, itemsOf(next));
}

function named(board: Board, { path, outcome }: Extract<BoardEvent, { type: "renamed" }>): BoardStep {
	if (!outcome.ok)
		return still({
			...board,
			notice: { text: board.words.board.notRenamed(outcome.detail), kind: "warning" },
		});
	const row = board.order.find((one) => one.path === path);
	const next: Board = { ...board, notice: { text: board.words.board.renamed, kind: "info" } };
	return row ? added(next, [renamed(row, outcome.name)]) : still(next);
}

function deleted(board: Board, { row, outcome }: Extract<BoardEvent, { type: "deleted" }>): BoardStep {
	const words = board.words.board;
	if (outcome.ok) {
		const told = { trash: words.trashed, for_good: words.deleted, gone: words.goneAlready };
		const order = board.order.filter(({ path }) => path !== row.path);
		return counted({ ...board, order, notice: { text: told[outcome.how], kind: "info" } });
	}
	if (outcome.reason === "no_trash" && board.mode.type === "list") {
		const question = forGoodQuestion(row, words.trashRefused(outcome.detail), words);
		return still({ ...board, mode: { type: "question", question, cursor: 0 } });
	}
	return still({ ...board, notice: { text: words.notDeleted(outcome.detail), kind: "warning" } });
}

function still(state: Board): BoardStep {
	return { state, effects: [] };
}
