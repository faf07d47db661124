import { isPattern, wordsOf } from "./match.ts";
import { liveStateOf } from "./order.ts";
import { isBackground } from "./row.ts";
import { threaded } from "./threads.ts";
import type { Board, FoldKind, Item, Row } from "./types.ts";

type Folding = Pick<Board, "live" | "marks">;
type Scoped = Pick<Board, "scope" | "order" | "namedOnly">;
type Listed = Scoped & Folding & Pick<Board, "query" | "found" | "unfolded" | "search" | "sort">;

const FOLDS: readonly FoldKind[] = ["background", "archived"];

/** The list, by everything that decides what is in it. */
export function itemsOf(board: Listed): Item[] {
	const { search, unfolded } = board;
	if (search) return [...search.hits];
	const isThreaded = board.sort === "threads" && board.found === undefined;
	const listed: Row[] = [];
	const folded: Record<FoldKind, Row[]> = { background: [], archived: [] };
	for (const row of board.found ?? inScope(board)) {
		const fold = foldOf(row, board);
		if (fold) folded[fold].push(row);
		// A thread is shown whole.
		if (!fold || (isThreaded && unfolded.has(fold))) listed.push(row);
	}
	const items = isThreaded ? threaded(listed) : listed.map(session);
	return [...items, ...foldedItems(folded, unfolded, isThreaded), ...offers(board)];
}

function foldedItems(
	folded: Readonly<Record<FoldKind, Row[]>>,
	unfolded: ReadonlySet<FoldKind>,
	isThreaded: boolean,
): Item[] {
	return FOLDS.filter((kind) => folded[kind].length > 0).flatMap((kind) => {
		const open = unfolded.has(kind);
		const fold: Item = { type: "fold", kind, count: folded[kind].length, open };
		return open && !isThreaded ? [fold, ...folded[kind].map(session)] : [fold];
	});
}

function offers({ query }: Pick<Board, "query">): Item[] {
	// Everything that was said is searched for words.
	return wordsOf(query).length > 0 && !isPattern(query) ? [{ type: "search", query: query.trim() }] : [];
}

/** What a row is folded away as; undefined: it is listed. What is live is not archived for as long as it lasts. */
export function foldOf(row: Row, { live, marks }: Folding): FoldKind | undefined {
	if (marks.archived.has(row.mark) && !liveStateOf(live, row)) return "archived";
	return isBackground(row) ? "background" : undefined;
}

/** Sessions of the scope in the list's order, folded ones included; only those with a name, if that is wanted. */
export function inScope({ scope, order, namedOnly }: Scoped): readonly Row[] {
	if (scope === "all" && !namedOnly) return order;
	return order.filter((row) => (scope === "all" || row.here) && (!namedOnly || isNamed(row)));
}

export function isNamed({ titleSource }: Pick<Row, "titleSource">): boolean {
	return titleSource === "manual" || titleSource === "auto";
}

/** How many sessions of the scope are listed without being asked for. */
export function countOf(board: Scoped & Folding): number {
	let count = 0;
	for (const row of inScope(board)) if (!foldOf(row, board)) count++;
	return count;
}

/** What an item is known by while the list around it changes. */
export function keyOf(item: Item): string {
	switch (item.type) {
		case "session":
			return item.row.path;
		case "hit":
			return item.hit.path;
		case "fold":
			return `\0fold ${item.kind}`;
		case "search":
			return "\0search";
	}
}

/** The session that an item stands for. */
export function rowOfItem(item: Item | undefined): Row | undefined {
	return item?.type === "session" || item?.type === "hit" ? item.row : undefined;
}

function session(row: Row): Item {
	return { type: "session", row };
}
