// Changes one value in a text of JSON with comments: everything else stays as it stands, to the letter.
import { type JsonNode, parseJsonc } from "./jsonc.ts";

/** The text with `value` at `path`. The text must parse, and whatever stands on the way must be an object. */
export function withValueAt(text: string, path: readonly string[], value: unknown): string {
	const parsed = parseJsonc(text);
	if (!parsed.ok) throw new Error(`not JSON with comments: ${parsed.problem}`);
	const layout = layoutOf(text);
	if (!parsed.root) {
		const gap = text === "" || /\n$/.test(text) ? "" : layout.newline;
		return `${text}${gap}${written(nested(path, value), "", layout)}${layout.newline}`;
	}
	const found = deepest(parsed.root, path);
	if (found.rest.length === 0) return splice(text, found.node.start, found.node.end, JSON.stringify(value));
	return withMember(text, found.node, { path: found.rest, value }, layout);
}

interface Layout {
	indent: string;
	newline: string;
}

/** New lines look like the ones that are there; a new file is indented by two blanks. */
function layoutOf(text: string): Layout {
	return {
		indent: /^([ \t]+)["}]/m.exec(text)?.[1] ?? "  ",
		newline: text.includes("\r\n") ? "\r\n" : "\n",
	};
}

/** The node that the longest known part of a path leads to, and what of the path is left. */
function deepest(root: JsonNode, path: readonly string[]): { node: JsonNode; rest: readonly string[] } {
	const [name] = path;
	const member = name === undefined ? undefined : root.members?.get(name);
	return member ? deepest(member, path.slice(1)) : { node: root, rest: path };
}

function withMember(
	text: string,
	node: JsonNode,
	{ path, value }: { path: readonly string[]; value: unknown },
	layout: Layout,
): string {
	const [name = "", ...rest] = path;
	const outer = /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", node.start) + 1))?.[0] ?? "";
	const inner = outer + layout.indent;
	const member = `${JSON.stringify(name)}: ${written(nested(rest, value), inner, layout)}`;
	const brace = node.end - 1;
	const content = text.slice(0, brace).trimEnd().length;
	const gap = text.slice(content, brace);
	const comma = node.last && !node.last.hasComma ? { at: node.last.end } : undefined;
	return [
		text.slice(0, comma?.at ?? content),
		...(comma ? [",", text.slice(comma.at, content)] : []),
		layout.newline,
		inner,
		member,
		gap.includes("\n") ? gap : `${layout.newline}${outer}`,
		text.slice(brace),
	].join("");
}

function nested(path: readonly string[], value: unknown): unknown {
	return path.reduceRight((inner, name) => ({ [name]: inner }), value);
}

function written(value: unknown, outer: string, { indent, newline }: Layout): string {
	return JSON.stringify(value, null, indent).replaceAll("\n", `${newline}${outer}`);
}

function splice(text: string, start: number, end: number, replacement: string): string {
	return text.slice(0, start) + replacement + text.slice(end);
}
