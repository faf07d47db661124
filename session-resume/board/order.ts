import { basename } from "node:path";
import {
	byNewest,
	byUrgency,
	compareText,
	type Marks,
	type SessionView,
} from "../../session-core/sessions/index.ts";

/** A session with the key of its marks. */
type Sorted = SessionView & { mark: string };

/**
 * The sort orders, in the order in which the sort key cycles through them. `urgency`: waiting sessions come first, beginning with the one
 * that has waited longest, followed by the other states in the order of `STATE_LOOKS`. `threads`: newest first; forks are moved below their
 * parents when the list is built.
 */
const ORDERS = {
	urgency: byUrgency,
	newest: () => 0,
	threads: () => 0,
	name: (one: Sorted, other: Sorted) => compareText(one.foldedTitle, other.foldedTitle),
	project: (one: Sorted, other: Sorted) => compareText(one.cwd, other.cwd),
};
export type Sort = keyof typeof ORDERS;
const SORTS = Object.keys(ORDERS) as Sort[];

export function nextSort(sort: Sort): Sort {
	return SORTS[SORTS.indexOf(sort) + 1] ?? "urgency";
}

export interface Ordering {
	readonly sort: Sort;
	readonly marks: Marks;
}

export function sorted<Row extends Sorted>(
	rows: Iterable<Row>,
	{ sort, marks: { pinned } }: Ordering,
): Row[] {
	const pins = (row: Row) => Number(pinned.has(row.mark));
	return [...rows].sort(
		(one, other) =>
			(pinned.size > 0 ? pins(other) - pins(one) : 0) || ORDERS[sort](one, other) || byNewest(one, other),
	);
}

/** A row, and the tree lines that are drawn before it, such as `│  └─ `. */
interface Threaded<Row> {
	row: Row;
	branch?: string;
}

/**
 * Returns the sessions with their forks below them, at any depth. A thread is placed where its first session would be in the list. A
 * session whose parent is not listed begins its own thread. If parents form a cycle, one of the sessions in the cycle begins the thread.
 */
export function threaded<Row extends Sorted>(rows: readonly Row[]): Threaded<Row>[] {
	const parents = parentsOf(rows);
	const forks = new Map<Row, Row[]>(rows.map((row) => [row, []]));
	for (const [fork, parent] of parents) forks.get(parent)?.push(fork);
	const listed = new Map<Row, Threaded<Row>>();
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

/** Returns the parent of each fork whose parent is listed. The parent is found by its path, or by its file name if the folder was moved. */
function parentsOf<Row extends Sorted>(rows: readonly Row[]): Map<Row, Row> {
	const byPath = new Map(rows.map((row) => [row.path, row]));
	const byName = new Map(rows.map((row) => [basename(row.path), row]));
	const parents = new Map<Row, Row>();
	for (const row of rows) {
		const { parent } = row;
		const found = parent === undefined ? undefined : (byPath.get(parent) ?? byName.get(basename(parent)));
		if (found && found !== row) parents.set(row, found);
	}
	return parents;
}

/** Returns the oldest ancestor of a row. If the parents form a cycle, the search ends before it reaches a row for the second time. */
function rootOf<Row>(row: Row, parents: ReadonlyMap<Row, Row>, seen = new Set([row])): Row {
	const parent = parents.get(row);
	return parent && !seen.has(parent) ? rootOf(parent, parents, seen.add(parent)) : row;
}
