import { relisted, restarted } from "./cursor.ts";
import { countOf, inScope, itemsOf } from "./items.ts";
import { bestFirst, matchesIn, wordsOf } from "./match.ts";
import { sorted } from "./order.ts";
import type { Board, BoardStep, Filter } from "./types.ts";

/** Rows matched in one go: so few that a keystroke never waits, however many sessions there are. */
const SLICE = 1_000;

/** The board under another query, or in another scope: what matches among the first rows is listed at once. */
export function queried(board: Board): BoardStep {
	const started = filtering(board, { asked: true });
	if (!started.filter) return settled(restarted(started, itemsOf(started)));
	const { board: next, rest } = advanced(started, started.filter);
	return { state: restarted(next, itemsOf(next)), effects: rest };
}

/** The board with other rows under the same query: the list stands until it is known anew. */
export function refreshed(board: Board): BoardStep {
	const wasAsked = board.filter?.asked ?? false;
	const started = filtering(board, { asked: wasAsked });
	if (!started.filter) return settled(relisted(started, itemsOf(started)));
	return { state: started, effects: [{ type: "more" }] };
}

/** The board with its rows in another order, or others of them listed; the cursor stays on its session. */
export function reordered(board: Board): BoardStep {
	const order = sorted(board.order, board);
	return refreshed({ ...board, order, count: countOf({ ...board, order }) });
}

/** Go on with what was begun. */
export function continued(board: Board): BoardStep {
	if (!board.filter) return settled(board);
	const { asked } = board.filter;
	const { board: next, rest } = advanced(board, board.filter);
	if (next.filter && !asked) return { state: next, effects: rest };
	const items = itemsOf(next);
	// Nobody has moved the cursor yet: it is on the best match, whichever that is by now.
	const list = asked && board.cursor === 0 ? restarted(next, items) : relisted(next, items);
	return { state: list, effects: rest };
}

function filtering(board: Board, { asked }: Pick<Filter, "asked">): Board {
	const words = wordsOf(board.query);
	if (words.length === 0) return { ...board, found: undefined, filter: undefined };
	return { ...board, filter: { words, rows: inScope(board), next: 0, matches: [], asked } };
}

function advanced(board: Board, filter: Filter): { board: Board; rest: BoardStep["effects"] } {
	const { rows, words, next } = filter;
	const matches = [...filter.matches, ...matchesIn(rows.slice(next, next + SLICE), words)];
	const isDone = next + SLICE >= rows.length;
	const found = isDone || filter.asked ? bestFirst(matches) : board.found;
	const rest: Filter | undefined = isDone ? undefined : { ...filter, next: next + SLICE, matches };
	return { board: { ...board, found, filter: rest }, rest: isDone ? [] : [{ type: "more" }] };
}

function settled(state: Board): BoardStep {
	return { state, effects: [] };
}
