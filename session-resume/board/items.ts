import { wordsOf } from "./match.ts";
import { isFolded } from "./row.ts";
import type { Board, Item, Row } from "./types.ts";

type Listed = Pick<Board, "scope" | "order" | "query" | "found" | "unfolded" | "search">;

/** The list, by everything that decides what is in it. */
export function itemsOf(board: Listed): Item[] {
	const { search } = board;
	if (search) return [...search.hits];
	const items: Item[] = [];
	const folded: Row[] = [];
	for (const row of board.found ?? inScope(board)) {
		if (isFolded(row)) folded.push(row);
		else items.push(session(row));
	}
	if (folded.length > 0) items.push({ type: "fold", count: folded.length, open: board.unfolded });
	if (board.unfolded) for (const row of folded) items.push(session(row));
	if (wordsOf(board.query).length > 0) items.push({ type: "search", query: board.query.trim() });
	return items;
}

/** Sessions of the scope in the list's order, folded ones included. */
export function inScope({ scope, order }: Pick<Board, "scope" | "order">): readonly Row[] {
	return scope === "all" ? order : order.filter(({ here }) => here);
}

/** How many sessions of the scope are listed without being asked for. */
export function countOf(board: Pick<Board, "scope" | "order">): number {
	let count = 0;
	for (const row of inScope(board)) if (!isFolded(row)) count++;
	return count;
}

/** What an item is known by while the list around it changes. */
export function keyOf(item: Item): string {
	switch (item.type) {
		case "session":
			return item.row.path;
		case "hit":
			return item.hit.path;
		default:
			return `\0${item.type}`;
	}
}

/** The session that an item stands for. */
export function rowOfItem(item: Item | undefined): Row | undefined {
	return item?.type === "session" || item?.type === "hit" ? item.row : undefined;
}

function session(row: Row): Item {
	return { type: "session", row };
}
