import { basename } from "node:path";
import type { LiveState } from "../live/writers.ts";
import type { Marks } from "./marks.ts";
import type { Row } from "./row.ts";

/** The order of the list. `needs_you`: what needs a look first. `threads`: newest first, forks below their parents. */
export type Sort = "needs_you" | "newest" | "threads" | "name" | "project";

/** The order that the key switches to. */
export const NEXT_SORT: Readonly<Record<Sort, Sort>> = {
	needs_you: "newest",
	newest: "threads",
	threads: "name",
	name: "project",
	project: "needs_you",
};

/** What decides the order. */
export interface Ordering {
	readonly sort: Sort;
	readonly live: readonly LiveState[];
	readonly marks: Marks;
}

type Compare = (one: Row, other: Row) => number;

/** Pinned rows first, then by the chosen order, then the newest. */
export function sorted(rows: Iterable<Row>, { sort, live, marks: { pinned } }: Ordering): Row[] {
	const isBefore = comparer(sort, live);
	const pins = (row: Row) => Number(pinned.has(row.mark));
	return [...rows].sort(
		(one, other) =>
			(pinned.size > 0 ? pins(other) - pins(one) : 0) ||
			isBefore(one, other) ||
			other.modified - one.modified ||
			compareText(one.path, other.path),
	);
}

function comparer(sort: Sort, live: readonly LiveState[]): Compare {
	switch (sort) {
		case "needs_you": {
			const rank = ranks(live);
			return (one, other) => rank(one) - rank(other);
		}
		case "name":
			return (one, other) => compareText(one.match.title, other.match.title);
		case "project":
			return (one, other) => compareText(one.cwd, other.cwd);
		case "newest":
		case "threads":
			// Forks are put below their parents when the list is made.
			return () => 0;
	}
}

/** What needs a look comes first; closed sessions come after all live ones. */
const ATTENTION = { needs_you: 0, failed: 1, working: 2, idle: 3 } as const;
const NOT_LIVE = 4;

/** A lookup, because each of thousands of rows is compared several times. */
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

/** A row and the lines in front of it: `│  └─ `. */
export interface Threaded {
	row: Row;
	branch?: string;
}

interface Node {
	row: Row;
	parent: Node | undefined;
	root: Node | undefined;
	children: Node[];
}

/**
 * Sessions with their forks below them, at any depth. A thread takes the place of the first of its sessions in the list. A
 * session whose parent is not listed begins a thread of its own, and so does one session of a cycle of parents.
 */
export function threaded(rows: readonly Row[]): Threaded[] {
	const nodes = linked(rows);
	const roots = new Set(nodes.map(findRoot));
	for (const node of nodes) node.parent?.children.push(node);
	const listed: Threaded[] = [];
	for (const root of roots) lay(root, listed);
	return listed;
}

/** A node for each row, in the given order. Its parent is found by path, or by file name if the folder was moved. */
function linked(rows: readonly Row[]): Node[] {
	const nodes = rows.map((row): Node => ({ row, parent: undefined, root: undefined, children: [] }));
	const forks = nodes.filter(({ row }) => row.parent !== undefined);
	if (forks.length === 0) return nodes;
	const byPath = new Map(nodes.map((node) => [node.row.path, node]));
	const byName = new Map(nodes.map((node) => [basename(node.row.path), node]));
	for (const node of forks) {
		const { parent = "" } = node.row;
		const found = byPath.get(parent) ?? byName.get(basename(parent));
		node.parent = found === node ? undefined : found;
	}
	return nodes;
}

/** The first of a node's ancestors. A cycle is cut where it closes. */
function findRoot(node: Node): Node {
	const trail = new Set<Node>();
	let at = node;
	while (!at.root && at.parent) {
		trail.add(at);
		if (trail.has(at.parent)) at.parent = undefined;
		else at = at.parent;
	}
	const root = at.root ?? at;
	for (const one of trail) one.root = root;
	root.root = root;
	return root;
}

/** Not recursive: a chain of forks may be as long as the list. */
function lay(root: Node, listed: Threaded[]): void {
	const open = [{ node: root, branch: "", below: "" }];
	for (let at = open.pop(); at; at = open.pop()) {
		const { node, branch, below } = at;
		listed.push({ row: node.row, ...(branch !== "" && { branch }) });
		for (const child of node.children.toReversed()) {
			const isLast = child === node.children.at(-1);
			open.push({
				node: child,
				branch: `${below}${isLast ? "└─ " : "├─ "}`,
				// Nobody looks at deeper lines, and they would grow with the square of the chain.
				below: below.length < 30 ? `${below}${isLast ? "   " : "│  "}` : below,
			});
		}
	}
}
