import { basename } from "node:path";
import { fuzzyMatch } from "../../session-core/pi/index.ts";
import { movedTopic } from "../../session-core/recap/index.ts";
import {
	byNewest,
	byUrgency,
	compareText,
	filtered,
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

export function rowOf(summary: SessionSummary, here: boolean): Row {
	const view = viewOf(summary);
	const { recap, id } = view;
	return {
		...view,
		live: undefined,
		openIn: 0,
		here,
		mark: markOf(summary.path),
		// The newest record counts even if it is outdated. A record that a fork inherited from its parent does not count, because the
		// requested fork has already been made.
		branches: recap?.resume_hint?.branch_on_resume === true && recap.subject_id === id,
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

/** In addition to the filter of every list, the board supports fuzzy matches in titles. In other text, nearly everything would match. */
export function filteredRows(rows: readonly Row[], query: string): readonly Row[] {
	return filtered(rows, readFilter(query), (word, { foldedTitle }) => closeLetters(word, foldedTitle));
}

/** Returns the score of a fuzzy match (`prsfix`) in a title; undefined unless the letters occur in order and close together. */
function closeLetters(word: string, title: string): number | undefined {
	// In writing systems without spaces, words have only one or two letters, so finding the letters in order is not a meaningful match.
	if (word.length < 2 || /[^\x21-\x7e]/.test(word)) return undefined;
	const { matches, score } = fuzzyMatch(word, title);
	return matches && score < 0 ? score : undefined;
}

/** In the order in which the sort key cycles through them. In threads, forks are moved below their parents when the list is built. */
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

/**
 * Returns the sessions with their forks below them, at any depth, and the tree lines that are drawn before each fork, such as `│  └─ `.
 * A thread is placed where its first session would be in the list.
 */
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

/** Maps forks to their listed parents. A parent is found by its path, or by its file name if the folder was moved. */
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

/** Returns the oldest ancestor of a row. The search ends before it reaches a row for the second time, because parents may form a cycle. */
function rootOf(row: Row, parents: ReadonlyMap<Row, Row>, seen = new Set([row])): Row {
	const parent = parents.get(row);
	return parent && !seen.has(parent) ? rootOf(parent, parents, seen.add(parent)) : row;
}
