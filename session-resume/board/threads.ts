import { basename } from "node:path";
import type { Item, Row } from "./types.ts";

type Listed = Extract<Item, { type: "session" }>;

interface Node {
	row: Row;
	parent: Node | undefined;
	root: Node | undefined;
	children: Node[];
}

/**
 * Sessions with their forks below them, as deep as they go. A thread stands where the first of its sessions does; a session
 * whose parent is not listed begins a thread of its own, and so does one of a circle of parents.
 */
export function threaded(rows: readonly Row[]): Listed[] {
	const nodes = linked(rows);
	const roots = new Set(nodes.map(findRoot));
	for (const node of nodes) node.parent?.children.push(node);
	const listed: Listed[] = [];
	for (const root of roots) lay(root, listed);
	return listed;
}

/** A node for each row, in the given order, its parent found by path, or by name where the folder was moved. */
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

/** The first of a node's ancestors. A circle is cut where it closes. */
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

/** Without recursion: a chain of forks may be as long as the list. */
function lay(root: Node, listed: Listed[]): void {
	const open = [{ node: root, branch: "", below: "" }];
	for (let at = open.pop(); at; at = open.pop()) {
		const { node, branch, below } = at;
		listed.push({ type: "session", row: node.row, ...(branch !== "" && { branch }) });
		for (const child of node.children.toReversed()) {
			const isLast = child === node.children.at(-1);
			open.push({
				node: child,
				branch: `${below}${isLast ? "└─ " : "├─ "}`,
				// Deeper than this nobody looks at the lines, and they would grow with the square of the chain.
				below: below.length < 30 ? `${below}${isLast ? "   " : "│  "}` : below,
			});
		}
	}
}
