import { fuzzyMatch } from "../../session-core/pi/host/index.ts";
import {
	type FoldKind,
	filtered,
	foldOf,
	type Marks,
	meets,
	readFilter,
} from "../../session-core/sessions/index.ts";
import type { SearchHit } from "../../session-core/sessions/search/index.ts";
import { nextSort, type Ordering, sorted, threaded } from "./order.ts";
import { type Row, withLive } from "./row.ts";

export type Scope = "project" | "all";

export type ListItem =
	| { type: "session"; row: Row; branch?: string }
	| { type: "fold"; kind: FoldKind; count: number; open: boolean }
	| { type: "search"; query: string }
	| { type: "hit"; hit: SearchHit; row: Row };

export interface Contents extends Ordering {
	readonly sessions: readonly Row[];
	readonly live: readonly NonNullable<Row["live"]>[];
	readonly scope: Scope;
	readonly query: string;
	readonly unfolded: ReadonlySet<FoldKind>;
	/** The current search of all messages, if any. Its hits, one per session, are listed instead of the sessions. */
	readonly search:
		| { query: string; hits: readonly SearchHit[]; searched: number; running: boolean }
		| undefined;
}

export interface List extends Contents {
	readonly rows: readonly Row[];
	readonly items: readonly ListItem[];
	readonly count: number;
	/** The key of the chosen item. Until the user chooses or all is loaded, the cursor stays on the first item. */
	readonly chosen: string | undefined;
	readonly cursor: number;
	readonly top: number;
	readonly page: number;
	readonly openPath: string | undefined;
	readonly selected: ReadonlySet<string>;
}

export function emptyList(start: Pick<List, "scope" | "query" | "marks" | "page" | "openPath">): List {
	return {
		...start,
		sessions: [],
		rows: [],
		live: [],
		sort: "urgency",
		unfolded: new Set(),
		search: undefined,
		items: [],
		count: 0,
		chosen: undefined,
		cursor: 0,
		top: 0,
		selected: new Set(),
	};
}

export function chosenRow({ items, cursor }: Pick<List, "items" | "cursor">): Row | undefined {
	return rowOfItem(items[cursor]);
}

export function rowOfItem(item: ListItem | undefined): Row | undefined {
	return item?.type === "session" || item?.type === "hit" ? item.row : undefined;
}

/** The cursor stays on the chosen item and its screen line. If that item is gone, the one in its place is chosen. */
export function relisted(list: List, change: Partial<Contents>): List {
	const next = rebuilt(list, change);
	if (list.chosen === undefined) return placed(next, firstOf(next), 0);
	const index = next.items.findIndex((item) => itemKey(item) === list.chosen);
	if (index < 0) return moved(next, list.cursor);
	// If the first row is visible, new rows above it must become visible. Otherwise, the row under the cursor must not move.
	return placed(next, index, list.top === 0 ? 0 : list.top + index - list.cursor);
}

/** Returns the list with another filter, scope or search, and moves the cursor to the first item. */
export function restarted(list: List, change: Partial<Contents>): List {
	return relisted({ ...list, chosen: undefined }, change);
}

/** Returns the first item. The session that is open here is skipped, because opening it has no effect, unless the user filters for it. */
function firstOf({ items, query, openPath, page }: List): number {
	if (query !== "") return 0;
	const first = items.findIndex((item) => rowOfItem(item) && rowOfItem(item)?.path !== openPath);
	return first < page ? Math.max(0, first) : 0;
}

export function moved(list: List, cursor: number): List {
	const next = placed(list, cursor, list.top);
	const item = next.items[next.cursor];
	return { ...next, chosen: item && itemKey(item) };
}

export function toggled(list: List): List {
	const path = chosenRow(list)?.path;
	if (path === undefined) return list;
	const selected = new Set(list.selected);
	if (!selected.delete(path)) selected.add(path);
	return { ...moved(list, list.cursor + 1), selected };
}

export function movedTo(list: List, key: string | undefined): List {
	const index = list.items.findIndex((item) => itemKey(item) === key);
	return index < 0 ? list : moved(list, index);
}

export function resized(list: List, page: number): List {
	return placed({ ...list, page }, list.cursor, list.top);
}

export function resorted(list: List): List {
	return relisted(list, { sort: nextSort(list.sort) });
}

/** Returns the words from the filter that a search of all messages looks for; empty if there are none. */
export function messageQuery({ query }: Pick<List, "query">): string {
	const { text, words } = readFilter(query);
	return words.length > 0 ? text : "";
}

function placed(list: List, cursor: number, top: number): List {
	const { items, page } = list;
	const at = clamp(cursor, 0, items.length - 1);
	const visible = clamp(top, at - page + 1, at);
	return { ...list, cursor: at, top: clamp(visible, 0, items.length - page) };
}

/** Limits a value to a range. If the limits contradict each other, the lower limit takes precedence. */
function clamp(value: number, low: number, high: number): number {
	return Math.max(low, Math.min(value, high));
}

function rebuilt(list: List, change: Partial<Contents>): List {
	const next = { ...list, ...change };
	const isSorted = !("sessions" in change || "live" in change || "marks" in change || "sort" in change);
	const rows = isSorted ? next.rows : sorted(withLive(next.sessions, next.live), next);
	const inScope = rowsInScope({ ...next, rows });
	const count = inScope.reduce((sum, row) => sum + (rowFold(row, next.marks) ? 0 : 1), 0);
	const items = next.search
		? hitItems(next.search.hits, rows)
		: itemsOf(filteredRows(inScope, next.query), next);
	return { ...next, rows, count, items };
}

export function searchedRows(list: List): readonly Row[] {
	const filter = readFilter(list.query);
	return rowsInScope(list).filter((row) => meets(row, filter));
}

function rowsInScope({ scope, rows }: List): readonly Row[] {
	return rows.filter((row) => scope === "all" || row.here);
}

/** A session that has changed since it was found is shown as it is now, and a deleted one is not shown. */
function hitItems(hits: readonly SearchHit[], rows: readonly Row[]): ListItem[] {
	const byPath = new Map(rows.map((row) => [row.path, row]));
	return hits.flatMap((hit): ListItem[] => {
		const row = byPath.get(hit.path);
		return row ? [{ type: "hit", hit, row }] : [];
	});
}

const FOLDS: readonly FoldKind[] = ["background", "archived"];

function itemsOf(rows: readonly Row[], contents: Contents): ListItem[] {
	const { query, sort, unfolded } = contents;
	const isThreaded = sort === "threads" && query.trim() === "";
	const listed: Row[] = [];
	const folds: Record<FoldKind, Row[]> = { background: [], archived: [] };
	for (const row of rows) {
		const fold = rowFold(row, contents.marks);
		if (fold) folds[fold].push(row);
		// In the order by threads, the sessions of an opened fold are listed in their threads.
		if (!fold || (isThreaded && unfolded.has(fold))) listed.push(row);
	}
	const folded = FOLDS.filter((kind) => folds[kind].length > 0).flatMap((kind): ListItem[] => {
		const open = unfolded.has(kind);
		const below = open && !isThreaded ? folds[kind].map(session) : [];
		return [{ type: "fold", kind, count: folds[kind].length, open }, ...below];
	});
	const offer = messageQuery(contents);
	return [
		...(isThreaded
			? threaded(listed).map((one): ListItem => ({ type: "session", ...one }))
			: listed.map(session)),
		...folded,
		...(offer ? [{ type: "search", query: offer } as const] : []),
	];
}

function session(row: Row): ListItem {
	return { type: "session", row };
}

/** Returns the rows that match a filter, best first. In addition to the filter of every list, the board supports fuzzy matches. */
export function filteredRows(rows: readonly Row[], query: string): readonly Row[] {
	return filtered(rows, readFilter(query), (word, { foldedTitle }) => closeLetters(word, foldedTitle));
}

/**
 * Returns the score of a fuzzy match (`prsfix`) in a title; undefined unless the letters occur in the title in order and close together.
 * Other text is not matched, because nearly everything would match.
 */
function closeLetters(word: string, title: string): number | undefined {
	// In writing systems without spaces, words have only one or two letters, so finding the letters in order is not a meaningful match.
	if (word.length < 2 || /[^\x21-\x7e]/.test(word)) return undefined;
	const { matches, score } = fuzzyMatch(word, title);
	return matches && score < 0 ? score : undefined;
}

function rowFold(row: Row, { archived }: Marks): FoldKind | undefined {
	return foldOf(row, archived.has(row.mark) || row.isArchived);
}

/** Returns a key that identifies an item even if the list around it changes. */
export function itemKey(item: ListItem): string {
	switch (item.type) {
		case "session":
		case "hit":
			return item.row.path;
		case "fold":
			return `\0fold ${item.kind}`;
		case "search":
			return "\0search";
	}
}
