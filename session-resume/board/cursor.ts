import { keyOf, rowOfItem } from "./items.ts";
import type { Board, Item } from "./types.ts";

type Placed = Pick<Board, "cursor" | "top">;

/** The board with another list: the cursor stays on its item, and that item on its line, as far as there is room. */
export function relisted(board: Board, items: readonly Item[]): Board {
	const at = board.items[board.cursor];
	// The offer to search stands first only where nothing else was found yet; nobody has chosen it.
	const isUnchosen = !at || (board.cursor === 0 && at.type === "search");
	if (isUnchosen) return { ...board, items, ...firstPlace(board, items) };
	const key = keyOf(at);
	const index = items.findIndex((item) => keyOf(item) === key);
	const cursor = index < 0 ? board.cursor : index;
	// At the top of the list, what is new above must not hide; further down, the line under the eye must not move.
	const top = board.top === 0 ? 0 : board.top + cursor - board.cursor;
	return { ...board, items, ...placed(items.length, board.page, { cursor, top }) };
}

/** The board with another list that answers another question: the cursor starts at its first item. */
export function restarted(board: Board, items: readonly Item[]): Board {
	return { ...board, items, ...placed(items.length, board.page, { cursor: 0, top: 0 }) };
}

/** The board with its cursor on another item. */
export function moved(board: Board, cursor: number): Board {
	return { ...board, ...placed(board.items.length, board.page, { cursor, top: board.top }) };
}

/** The board in another height. */
export function resized(board: Board, page: number): Board {
	return { ...board, page, ...placed(board.items.length, page, board) };
}

/** Cursor and window inside the list, the cursor inside the window. */
function placed(count: number, page: number, { cursor, top }: Placed): Placed {
	const at = clamp(cursor, 0, count - 1);
	const visible = clamp(top, at - page + 1, at);
	return { cursor: at, top: clamp(visible, 0, count - page) };
}

/** Where the cursor begins: on the first session that is not the one open here, which nobody comes to open. */
function firstPlace(board: Board, items: readonly Item[]): Placed {
	const other = items.findIndex((item) => rowOfItem(item) && rowOfItem(item)?.path !== board.current.path);
	const cursor = other < 0 || other >= board.page ? 0 : other;
	return placed(items.length, board.page, { cursor, top: 0 });
}

/** Where the bounds contradict each other, the lower one holds. */
function clamp(value: number, low: number, high: number): number {
	return Math.max(low, Math.min(value, high));
}
