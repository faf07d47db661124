import { fuzzyMatch } from "../../session-core/pi/index.ts";
import { movedTopic } from "../../session-core/recap/index.ts";
import {
	type Description,
	type FoldKind,
	filtered,
	foldOf,
	leaseFinder,
	type Marks,
	markOf,
	meets,
	type Overlap,
	type PreviewFacts,
	readFilter,
	type SearchHit,
	type SessionSummary,
	type SessionView,
	toldApart,
	viewOf,
	withLease,
} from "../../session-core/sessions/index.ts";
import { foldCase } from "../../session-core/text/index.ts";
import type { LiveState } from "../live/leases.ts";
import { nextSort, type Ordering, sorted, threaded } from "./order.ts";

/** What the board shows: its rows, the list of them, and its mode. These are only data; `Board` changes them. */

/** A session on the board. Each string is a single line and is safe to show. */
export interface Row extends SessionView {
	live: LiveState | undefined;
	openIn: number;
	here: boolean;
	/** The key under which the session's marks are stored. */
	mark: string;
	/** Whether resuming the session creates a fork instead of continuing the original. */
	branches: boolean;
	/** The topic of the current note, if the session has moved on from its name; otherwise empty. */
	topic: string;
}

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
	/** The key of the chosen item. Until the user chooses an item or everything is loaded, the cursor stays on the first item. */
	readonly chosen: string | undefined;
	readonly cursor: number;
	readonly top: number;
	readonly page: number;
	readonly openPath: string | undefined;
}

export interface Preview {
	stamp: string;
	/** The description that is derived from the end of the file. `described` is undefined if there is nothing to describe. */
	card?: { described: Description | undefined };
	facts?: PreviewFacts;
}

export interface BoardState {
	readonly list: List;
	readonly scan: Readonly<Record<Scope, "waiting" | "running" | "done">>;
	readonly mode: Mode;
	/** The message that is shown instead of the key hints until the next key is pressed. */
	readonly notice: Notice | undefined;
	/** Returns the preview data that has been read so far from the current version of the session's file. */
	previewOf(row: Row): Preview | undefined;
	overlapsOf(row: Row): readonly Overlap[];
}

export type Mode =
	| { type: "list" }
	| { type: "rename" | "answer"; row: Row; text: string }
	| { type: "help" }
	| { type: "transcript"; row: Row }
	| { type: "question"; text: string; labels: readonly string[]; cursor: number };

export const LIST: Mode = { type: "list" };

export interface Notice {
	text: string;
	kind: "info" | "warning";
}

export function inputText({ mode, list }: Pick<BoardState, "mode" | "list">): string {
	return mode.type === "rename" || mode.type === "answer" ? mode.text : list.query;
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
		// If the list is sorted by thread, the sessions of an opened fold are listed in their threads.
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

export function rowOf(summary: SessionSummary, here: boolean): Row {
	const view = viewOf(summary);
	const { newestRecord, id } = view;
	return {
		...view,
		live: undefined,
		openIn: 0,
		here,
		mark: markOf(summary.path),
		// The newest record counts even if it is outdated. A record that a fork inherited from its parent does not count, because the
		// requested fork has already been made.
		branches: newestRecord?.resume_hint?.branch_on_resume === true && newestRecord.subject_id === id,
		topic: movedTopic(view.record, isNamed(view) ? view.title : undefined),
	};
}

export function withLive(rows: readonly Row[], live: readonly LiveState[]): readonly Row[] {
	if (live.length === 0) return rows;
	const find = leaseFinder(live);
	const counts = new Map<string, number>();
	for (const { sessionId } of live) counts.set(sessionId, (counts.get(sessionId) ?? 0) + 1);
	return toldApart(
		rows.map((row) => {
			const found = find(row);
			const openIn = counts.get(found?.sessionId ?? "") ?? 0;
			return found ? { ...row, ...withLease(row, found), live: found, openIn } : row;
		}),
	);
}

export function renamed(row: Row, name: string): Row {
	return {
		...row,
		title: name,
		titleSource: "manual",
		foldedTitle: foldCase(name),
		searched: `${foldCase(name)}\n${row.searched}`,
	};
}

export function isNamed({ titleSource }: Pick<Row, "titleSource">): boolean {
	return titleSource === "manual" || titleSource === "auto";
}
