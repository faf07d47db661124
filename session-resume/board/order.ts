import type { Board, LiveState, Row, Sort } from "./types.ts";

/** What needs a look comes first; sessions that nobody has open come after all live ones. */
const ATTENTION = { needs_you: 0, failed: 1, working: 2, idle: 3 } as const;
const NOT_LIVE = 4;

/** The live state of a session, whoever has it open. */
export function liveStateOf(
	live: readonly LiveState[],
	{ path, id }: Pick<Row, "path" | "id">,
): LiveState | undefined {
	return live.find((one) => one.sessionFile === path || one.sessionId === id);
}

/** What decides the order of the list. */
export type Ordering = Pick<Board, "sort" | "live" | "marks">;

/** Rows in the order of the list: what is pinned, then by the chosen order, then by when something was last said. */
export function sorted(rows: Iterable<Row>, ordering: Ordering): Row[] {
	return [...rows].sort(comparer(ordering));
}

/** A list that was in order, with these rows added, or put in the place of their older states. */
export function withRows(order: readonly Row[], rows: readonly Row[], ordering: Ordering): Row[] {
	const added = new Map(rows.map((row) => [row.path, row]));
	return merged(
		order.filter(({ path }) => !added.has(path)),
		sorted(added.values(), ordering),
		comparer(ordering),
	);
}

/** A list that was in order while `before` was live, in the order for what is live now. */
export function withLive(order: readonly Row[], before: readonly LiveState[], now: Ordering): readonly Row[] {
	const isConcerned = concerns(before, now.live);
	const concerned = order.filter(isConcerned);
	if (concerned.length === 0) return order;
	const moving = new Set(concerned);
	return merged(
		order.filter((row) => !moving.has(row)),
		sorted(concerned, now),
		comparer(now),
	);
}

/** Tells the rows whose place may change: those of sessions whose state is not what it was. */
function concerns(before: readonly LiveState[], now: readonly LiveState[]): (row: Row) => boolean {
	const same = (one: LiveState) => (other: LiveState) =>
		one.state === other.state && one.sessionId === other.sessionId && one.sessionFile === other.sessionFile;
	const changed = [
		...before.filter((one) => !now.some(same(one))),
		...now.filter((one) => !before.some(same(one))),
	];
	if (changed.length === 0) return () => false;
	return (row) => liveStateOf(changed, row) !== undefined;
}

/** Two sorted lists as one. There are thousands of rows, and this happens while the user types. */
function merged(
	one: readonly Row[],
	other: readonly Row[],
	compare: (one: Row, other: Row) => number,
): Row[] {
	const all: Row[] = [];
	let at = 0;
	for (const row of one) {
		for (let next = other[at]; next && compare(next, row) < 0; next = other[at]) {
			all.push(next);
			at++;
		}
		all.push(row);
	}
	for (; at < other.length; at++) {
		const rest = other[at];
		if (rest) all.push(rest);
	}
	return all;
}

type Compare = (one: Row, other: Row) => number;

function comparer({ sort, live, marks: { pinned } }: Ordering): Compare {
	const isBefore = COMPARE[sort](live);
	const pins: Compare = (one, other) => Number(pinned.has(other.mark)) - Number(pinned.has(one.mark));
	return (one, other) =>
		(pinned.size > 0 ? pins(one, other) : 0) ||
		isBefore(one, other) ||
		other.modified - one.modified ||
		compareText(one.path, other.path);
}

const newest: Compare = (one, other) => other.modified - one.modified;

const COMPARE: Readonly<Record<Sort, (live: readonly LiveState[]) => Compare>> = {
	needs_you: (live) => {
		const rank = ranks(live);
		return (one, other) => rank(one) - rank(other);
	},
	newest: () => newest,
	// Forks are put below their parents when the list is made.
	threads: () => newest,
	name: () => (one, other) => compareText(one.match.title, other.match.title),
	project: () => (one, other) => compareText(one.cwd, other.cwd),
};

/** By look-up: there are thousands of rows and each is compared several times. */
function ranks(live: readonly LiveState[]): (row: Row) => number {
	const byKey = new Map<string, number>();
	for (const { sessionFile, sessionId, state } of live) {
		byKey.set(sessionId, ATTENTION[state]);
		if (sessionFile !== undefined) byKey.set(sessionFile, ATTENTION[state]);
	}
	if (byKey.size === 0) return () => NOT_LIVE;
	return (row) => byKey.get(row.path) ?? byKey.get(row.id) ?? NOT_LIVE;
}

function compareText(one: string, other: string): number {
	if (one === other) return 0;
	return one < other ? -1 : 1;
}
