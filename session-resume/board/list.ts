import { basename } from "node:path";
import { movedTopic } from "../../session-core/recap/index.ts";
import {
	byNewest,
	byUrgency,
	compareText,
	type FoldKind,
	filtered,
	foldOf,
	type Lease,
	leaseFinder,
	type Marks,
	markOf,
	meets,
	type Overlaps,
	readFilter,
	type SearchHit,
	type SessionSummary,
	type SessionView,
	toldApart,
	versionOf,
	viewOf,
	withLease,
} from "../../session-core/sessions/index.ts";
import { foldCase } from "../../session-core/text/index.ts";
import { isOwn } from "../live/leases.ts";

/** A session as the board lists it. Every string in this object is a single line and is safe to display. */
export interface Row extends SessionView {
	here: boolean;
	mark: string;
	/** See {@link versionOf}. */
	version: string;
}

export function rowOf(summary: SessionSummary, here: boolean): Row {
	const facts = { here, mark: markOf(summary.path), version: versionOf(summary) };
	return Object.assign(viewOf(summary), facts);
}

/** Returns an empty string unless the session's topic has changed since the session was named. */
export function newTopicOf(row: Row): string {
	return movedTopic(row.record, isNamed(row) ? row.title : undefined);
}

export function isOpenHere({ lease }: Row): boolean {
	return lease !== undefined && isOwn(lease);
}

export function openIn({ lease }: Row, live: readonly Lease[]): number {
	return live.filter(({ sessionId }) => sessionId === lease?.sessionId).length;
}

export function isNamed({ titleSource }: Pick<Row, "titleSource">): boolean {
	return titleSource === "manual" || titleSource === "auto";
}

export function renamed(row: Row, title: string): Row {
	const foldedTitle = foldCase(title);
	const searched = `${foldedTitle}\n${row.searched}`;
	return { ...row, title, titleSource: "manual", foldedTitle, searched };
}

export function withLive(
	rows: readonly Row[],
	live: readonly Lease[],
	overlaps: Overlaps = new Map(),
): readonly Row[] {
	if (live.length === 0) return rows;
	const find = leaseFinder(live);
	return toldApart(rows.map((row) => withLease(row, find(row), overlaps)));
}

const ORDERS = {
	urgency: byUrgency,
	newest: () => 0,
	threads: () => 0,
	name: (one: Row, other: Row) => compareText(one.foldedTitle, other.foldedTitle),
	project: (one: Row, other: Row) => compareText(one.cwd, other.cwd),
};
export type Sort = keyof typeof ORDERS;

export function nextSort(sort: Sort): Sort {
	const sorts = Object.keys(ORDERS) as Sort[];
	return sorts[sorts.indexOf(sort) + 1] ?? "urgency";
}

function sorted(rows: readonly Row[], sort: Sort, { pinned }: Marks): Row[] {
	const pins = (row: Row) => Number(pinned.has(row.mark));
	const order = ORDERS[sort];
	return rows.toSorted(
		(one, other) =>
			(pinned.size > 0 ? pins(other) - pins(one) : 0) || order(one, other) || byNewest(one, other),
	);
}

/** Each fork is listed below its parent and is indented with tree lines such as `│  └─ `. */
export function threaded(rows: readonly Row[]): { row: Row; branch?: string }[] {
	const parents = parentsOf(rows);
	const forks = new Map<Row, Row[]>(rows.map((row) => [row, []]));
	for (const [fork, parent] of parents) forks.get(parent)?.push(fork);
	const listed = new Map<Row, { row: Row; branch?: string }>();
	const add = (row: Row, branch: string, below: string): void => {
		listed.set(row, { row, ...(branch !== "" && { branch }) });
		const left = (forks.get(row) ?? []).filter((fork) => !listed.has(fork));
		for (const fork of left) {
			const isLast = fork === left.at(-1);
			add(fork, `${below}${isLast ? "└─ " : "├─ "}`, `${below}${isLast ? "   " : "│  "}`);
		}
	};
	for (const row of rows) if (!listed.has(row)) add(rootOf(row, parents), "", "");
	return [...listed.values()];
}

/** A fork's parent is looked up by its path or, if the sessions folder was moved, by its file name. */
function parentsOf(rows: readonly Row[]): Map<Row, Row> {
	const byPath = new Map(rows.map((row) => [row.path, row]));
	const byName = new Map(rows.map((row) => [basename(row.path), row]));
	return new Map(
		rows.flatMap((row) => {
			const { parentSession: parent = "" } = row;
			const found = byPath.get(parent) ?? byName.get(basename(parent));
			return found && found !== row ? [[row, found]] : [];
		}),
	);
}

/** The parent links in a damaged file may form a cycle, so each row is visited only once. */
function rootOf(row: Row, parents: ReadonlyMap<Row, Row>, seen = new Set([row])): Row {
	const parent = parents.get(row);
	return parent && !seen.has(parent) ? rootOf(parent, parents, seen.add(parent)) : row;
}

export type Scope = "project" | "all";

export type ListItem =
	| { type: "session"; row: Row; branch?: string }
	| { type: "fold"; kind: FoldKind; count: number; open: boolean }
	| { type: "search"; query: string }
	| { type: "hit"; hit: SearchHit; row: Row };

/** If one of these fields of a `List` changes, the rows must be merged and sorted again. */
const SORTING = ["sessions", "live", "overlaps", "marks", "sort"] as const;

const FOLDS: readonly FoldKind[] = ["background", "archived"];

type Contents = Pick<
	List,
	"sessions" | "live" | "overlaps" | "marks" | "sort" | "scope" | "query" | "unfolded" | "search"
>;

export class List {
	sessions: readonly Row[] = [];
	live: readonly Lease[] = [];
	overlaps: Overlaps = new Map();
	marks: Marks;
	sort: Sort = "urgency";
	scope: Scope;
	query: string;
	unfolded: ReadonlySet<FoldKind> = new Set();
	search: { query: string; hits: readonly SearchHit[]; searched: number; running: boolean } | undefined;
	rows: readonly Row[] = [];
	items: readonly ListItem[] = [];
	count = 0;
	/**
	 * `chosen` is undefined until the user selects an item or the list is fully loaded. Until then, the
	 * cursor stays on the first item.
	 */
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

	/**
	 * The cursor stays on the selected item and on the same screen line. If the item is removed, the item
	 * after it is selected.
	 */
	change(change: Partial<Contents>): void {
		Object.assign(this, change);
		if (SORTING.some((field) => field in change))
			this.rows = sorted(withLive(this.sessions, this.live, this.overlaps), this.sort, this.marks);
		const inScope = this.#inScope();
		this.count = inScope.filter((row) => this.#foldOf(row) === undefined).length;
		this.items = this.search ? this.#hitItems(this.search.hits) : this.#itemsOf(inScope);
		const index = this.#indexOf(this.chosen);
		if (this.chosen === undefined) this.#place(this.#first(), 0);
		else if (index < 0) this.move(this.cursor);
		// The selected row keeps its position on the screen, except if the list is not scrolled.
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

	/**
	 * Selects the first match if there is a filter. Otherwise, selects the first session that is not
	 * already open.
	 */
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

	#hitItems(hits: readonly SearchHit[]): ListItem[] {
		const byPath = new Map(this.rows.map((row) => [row.path, row]));
		return hits.flatMap((hit): ListItem[] => {
			const row = byPath.get(hit.path);
			return row ? [{ type: "hit", hit, row }] : [];
		});
	}

	#itemsOf(inScope: readonly Row[]): ListItem[] {
		const { query, sort, unfolded, messageQuery } = this;
		const rows = filtered(inScope, readFilter(query));
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
