import { basename } from "node:path";
import { fuzzyMatch } from "../../session-core/pi/index.ts";
import { movedTopic } from "../../session-core/recap/index.ts";
import {
	byNewest,
	byUrgency,
	compareText,
	filtered,
	isBranching,
	leaseFinder,
	type Marks,
	markOf,
	readFilter,
	type SessionSummary,
	type SessionView,
	toldApart,
	viewOf,
	withLease,
} from "../../session-core/sessions/index.ts";
import type { LiveState } from "../live/leases.ts";

/** Each string is a single line and is safe to display. */
export interface Row extends SessionView {
	live: LiveState | undefined;
	openIn: number;
	here: boolean;
	mark: string;
	/** `branches` is true if resuming the session creates a fork instead of continuing the original. */
	branches: boolean;
	/** `topic` is empty unless the session's topic has changed since the session was named. */
	topic: string;
}

export function rowOf(summary: SessionSummary, here: boolean): Row {
	const view = viewOf(summary);
	const { recap, id } = view;
	return {
		...view,
		live: undefined,
		openIn: 0,
		here,
		mark: markOf(summary.path),
		branches: recap !== undefined && isBranching(recap, id),
		topic: movedTopic(view.record, isNamed(view) ? view.title : undefined),
	};
}

export function isNamed({ titleSource }: Pick<Row, "titleSource">): boolean {
	return titleSource === "manual" || titleSource === "auto";
}

export function withLive(rows: readonly Row[], live: readonly LiveState[]): readonly Row[] {
	if (live.length === 0) return rows;
	const find = leaseFinder(live);
	const joined = rows.map((row): Row => {
		const found = find(row);
		if (!found) return row;
		const openIn = live.filter(({ sessionId }) => sessionId === found.sessionId).length;
		return { ...row, ...withLease(row, found), live: found, openIn };
	});
	return toldApart(joined);
}

/** The filter allows fuzzy matches only in titles, because nearly any longer text would match. */
export function filteredRows(rows: readonly Row[], query: string): readonly Row[] {
	return filtered(rows, readFilter(query), (word, { foldedTitle }) => closeLetters(word, foldedTitle));
}

/** Returns the score of a fuzzy match, such as `prsfix` for `parser fix`. The letters must be in order and close together. */
function closeLetters(word: string, title: string): number | undefined {
	// In writing systems without spaces, a word has only one or two letters, so a fuzzy match would be meaningless.
	if (word.length < 2 || /[^\x21-\x7e]/.test(word)) return undefined;
	const { matches, score } = fuzzyMatch(word, title);
	return matches && score < 0 ? score : undefined;
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

export function sorted(rows: readonly Row[], sort: Sort, { pinned }: Marks): Row[] {
	const pins = (row: Row) => Number(pinned.has(row.mark));
	const order = ORDERS[sort];
	return rows.toSorted(
		(one, other) =>
			(pinned.size > 0 ? pins(other) - pins(one) : 0) || order(one, other) || byNewest(one, other),
	);
}

/** Each fork is listed below its parent, after tree lines such as `│  └─ `. */
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

/** If a folder was moved, the parent's path is outdated, so the parent is also searched for by its file name. */
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

/** Damaged files may contain a cycle of parents, so the search stops at the first repeated row. */
function rootOf(row: Row, parents: ReadonlyMap<Row, Row>, seen = new Set([row])): Row {
	const parent = parents.get(row);
	return parent && !seen.has(parent) ? rootOf(parent, parents, seen.add(parent)) : row;
}
