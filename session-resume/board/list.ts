import {
	type FoldKind,
	foldOf,
	type Marks,
	meets,
	readFilter,
	type SearchHit,
} from "../../session-core/sessions/index.ts";
import type { LiveState } from "../live/leases.ts";
import { filteredRows, type Row, type Sort, sorted, threaded, withLive } from "./rows.ts";

export type Scope = "project" | "all";

export type ListItem =
	| { type: "session"; row: Row; branch?: string }
	| { type: "fold"; kind: FoldKind; count: number; open: boolean }
	| { type: "search"; query: string }
	| { type: "hit"; hit: SearchHit; row: Row };

const FOLDS: readonly FoldKind[] = ["background", "archived"];

type Contents = Pick<
	List,
	"sessions" | "live" | "marks" | "sort" | "scope" | "query" | "unfolded" | "search"
>;

export class List {
	sessions: readonly Row[] = [];
	live: readonly LiveState[] = [];
	marks: Marks;
	sort: Sort = "urgency";
	scope: Scope;
	query: string;
	unfolded: ReadonlySet<FoldKind> = new Set();
	/** The current search of all messages, if any. Its hits, one per session, are listed instead of the sessions. */
	search: { query: string; hits: readonly SearchHit[]; searched: number; running: boolean } | undefined;
	/** All sessions with their live states, in order. */
	rows: readonly Row[] = [];
	items: readonly ListItem[] = [];
	count = 0;
	/** The key of the chosen item. Until the user chooses an item or everything is loaded, the cursor stays on the first item. */
	chosen: string | undefined;
	cursor = 0;
	top = 0;
	page: number;
	readonly openPath: string | undefined;

	constructor(start: Pick<List, "scope" | "query" | "marks" | "page" | "openPath">) {
		this.scope = start.scope;
		this.query = start.query;
		this.marks = start.marks;
		this.page = start.page;
		this.openPath = start.openPath;
	}

	get item(): ListItem | undefined {
		return this.items[this.cursor];
	}

	get row(): Row | undefined {
		return this.item && "row" in this.item ? this.item.row : undefined;
	}

	/** The words from the filter that a search of all messages looks for; empty if there are none. */
	get messageQuery(): string {
		const { text, words } = readFilter(this.query);
		return words.length > 0 ? text : "";
	}

	get searchable(): readonly Row[] {
		const filter = readFilter(this.query);
		return this.#inScope().filter((row) => meets(row, filter));
	}

	/** The cursor stays on the chosen item and its screen line. If that item is gone, the one in its place is chosen. */
	change(change: Partial<Contents>): void {
		Object.assign(this, change);
		if ("sessions" in change || "live" in change || "marks" in change || "sort" in change)
			this.rows = sorted(withLive(this.sessions, this.live), this.sort, this.marks);
		const inScope = this.#inScope();
		this.count = inScope.filter((row) => this.#foldOf(row) === undefined).length;
		this.items = this.search ? this.#hitItems(this.search.hits) : this.#itemsOf(inScope);
		const index = this.#indexOf(this.chosen);
		if (this.chosen === undefined) this.#place(this.#first(), 0);
		else if (index < 0) this.move(this.cursor);
		// If the first row is visible, new rows above it must become visible. Otherwise, the row under the cursor must not move.
		else this.#place(index, this.top === 0 ? 0 : this.top + index - this.cursor);
	}

	/** Changes the filter, the scope or the search, and moves the cursor to the first item. */
	restart(change: Partial<Contents>): void {
		this.chosen = undefined;
		this.change(change);
	}

	/** Choosing an item keeps the cursor on it when the list changes. */
	move(cursor: number): void {
		this.#place(cursor, this.top);
		this.chosen = this.item && itemKey(this.item);
	}

	moveTo(key: string | undefined): void {
		const index = this.#indexOf(key);
		if (index >= 0) this.move(index);
	}

	resize(page: number): void {
		this.page = page;
		this.#place(this.cursor, this.top);
	}

	#indexOf(key: string | undefined): number {
		return this.items.findIndex((item) => itemKey(item) === key);
	}

	/** Returns the first item. The session that is open here is skipped, because opening it has no effect, unless the user filters for it. */
	#first(): number {
		if (this.query !== "") return 0;
		const first = this.items.findIndex((item) => "row" in item && item.row.path !== this.openPath);
		return first < this.page ? Math.max(0, first) : 0;
	}

	#place(cursor: number, top: number): void {
		this.cursor = clamp(cursor, 0, this.items.length - 1);
		const visible = clamp(top, this.cursor - this.page + 1, this.cursor);
		this.top = clamp(visible, 0, this.items.length - this.page);
	}

	#inScope(): readonly Row[] {
		return this.rows.filter((row) => this.scope === "all" || row.here);
	}

	#foldOf(row: Row): FoldKind | undefined {
		return foldOf(row, this.marks.archived.has(row.mark) || row.isArchived);
	}

	/** A session that has changed since it was found is shown as it is now, and a deleted one is not shown. */
	#hitItems(hits: readonly SearchHit[]): ListItem[] {
		const byPath = new Map(this.rows.map((row) => [row.path, row]));
		return hits.flatMap((hit): ListItem[] => {
			const row = byPath.get(hit.path);
			return row ? [{ type: "hit", hit, row }] : [];
		});
	}

	#itemsOf(inScope: readonly Row[]): ListItem[] {
		const { query, sort, unfolded, messageQuery } = this;
		const rows = filteredRows(inScope, query);
		const isThreaded = sort === "threads" && query.trim() === "";
		// If the list is sorted by thread, the sessions of an opened fold are listed in their threads.
		const listed = rows.filter((row) => {
			const fold = this.#foldOf(row);
			return !fold || (isThreaded && unfolded.has(fold));
		});
		const folds = FOLDS.flatMap((kind): ListItem[] => {
			const folded = rows.filter((row) => this.#foldOf(row) === kind);
			if (folded.length === 0) return [];
			const open = unfolded.has(kind);
			const below = open && !isThreaded ? sessionItems(folded) : [];
			return [{ type: "fold", kind, count: folded.length, open }, ...below];
		});
		return [
			...(isThreaded
				? threaded(listed).map((one): ListItem => ({ type: "session", ...one }))
				: sessionItems(listed)),
			...folds,
			...(messageQuery ? [{ type: "search", query: messageQuery } as const] : []),
		];
	}
}

function sessionItems(rows: readonly Row[]): ListItem[] {
	return rows.map((row) => ({ type: "session", row }));
}

/** Returns a key that identifies an item even if the list around it changes. */
export function itemKey(item: ListItem): string {
	if ("row" in item) return item.row.path;
	return item.type === "fold" ? `\0fold ${item.kind}` : "\0search";
}

/** Limits a value to a range. If the limits contradict each other, the lower limit takes precedence. */
function clamp(value: number, low: number, high: number): number {
	return Math.max(low, Math.min(value, high));
}
