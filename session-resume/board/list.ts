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
	search: { query: string; hits: readonly SearchHit[]; searched: number; running: boolean } | undefined;
	rows: readonly Row[] = [];
	items: readonly ListItem[] = [];
	count = 0;
	/** `chosen` is undefined until the user selects an item or the list is fully loaded. Until then, the cursor stays on the first item. */
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

	get messageQuery(): string {
		const { text, words } = readFilter(this.query);
		return words.length > 0 ? text : "";
	}

	get searchable(): readonly Row[] {
		const filter = readFilter(this.query);
		return this.#inScope().filter((row) => meets(row, filter));
	}

	/** The cursor stays on the selected item and on the same line of the screen. If the item was removed, its successor is selected. */
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
		// If the list is scrolled to the top, new rows at the top must become visible. Otherwise, the selected row must not move.
		else this.#place(index, this.top === 0 ? 0 : this.top + index - this.cursor);
	}

	restart(change: Partial<Contents>): void {
		this.chosen = undefined;
		this.change(change);
	}

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

	/** The open session is skipped, because opening it again has no effect. If there is a filter, the first match is selected. */
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

	/**
	 * A search result shows the session's current state, even if the session has changed since the search. Deleted sessions are left out.
	 */
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

export function itemKey(item: ListItem): string {
	if ("row" in item) return item.row.path;
	return item.type === "fold" ? `\0fold ${item.kind}` : "\0search";
}

function clamp(value: number, low: number, high: number): number {
	return Math.max(low, Math.min(value, high));
}
