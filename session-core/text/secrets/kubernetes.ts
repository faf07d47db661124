import type { Span } from "./layers.ts";
import type { Reader } from "./scan.ts";

/** Finds the values of Kubernetes secrets: every value under `data` or `stringData` of an object whose kind is `Secret`. */

const KIND = /kind["']?:[ \t]{0,3}["']?Secret(?![\w-])/y;
/** Matches a line with a key, in YAML or in JSON with line breaks. */
const LINE = /^([ \t]*(?:- +)*)(["']?)([\w.-]+)\2:[ \t]*(.*?)[ \t]*,?\r?$/;
/** Number of characters around a kind that may be covered by a layer. */
const NEAR_KIND = 32 * 1024;
/** Maximum number of a document's characters that are read before and after its kind. */
const BOUND = 256 * 1024;

export const readManifest: Reader = (scan, at) => {
	const { text } = scan;
	scan.look(at - NEAR_KIND, at + NEAR_KIND);
	KIND.lastIndex = at;
	if (!scan.isFresh(readManifest, at) || !KIND.test(text)) return;
	const from = Math.max(scan.reachedBy(readManifest), text.lastIndexOf("\n---", at) + 1, at - BOUND);
	const next = text.indexOf("\n---", at);
	const to = Math.min(next < 0 ? text.length : next, at + BOUND);
	scan.reach(readManifest, to);
	const document = text.slice(from, to);
	for (const { start, end } of [...valuesIn(document), ...valuesInJson(document)])
		scan.hide(from + start, from + end);
};

/** Number of characters between the kind and the data of an object in one line. */
const NEAR = 2_000;

/** Returns the values under `data` in JSON without line breaks, if the nearest kind is `Secret`. */
function* valuesInJson(document: string): Generator<Span, void, void> {
	for (const { 0: block, index } of document.matchAll(/"(?:data|stringData)"\s?:\s?\{[^{}]*/g)) {
		const before = document.slice(Math.max(0, index - NEAR), index);
		const after = document.slice(index + block.length, index + block.length + NEAR);
		const [last, next] = [before.lastIndexOf('"kind"'), after.indexOf('"kind"')];
		const isLast = last >= 0 && (next < 0 || before.length - last < next);
		if (!/^"kind"\s?:\s?"Secret"/.test(isLast ? before.slice(last) : after.slice(Math.max(0, next))))
			continue;
		for (const value of block.slice(block.indexOf("{")).matchAll(/(?<=:\s?")[^"]+/g)) {
			const start = index + block.indexOf("{") + value.index;
			yield { start, end: start + value[0].length };
		}
	}
}

/** An object that is being read: whether it is a secret, and the values that are redacted if it is. */
interface Manifest {
	isSecret: boolean;
	values: Span[];
}

function valuesIn(document: string): Span[] {
	const found: Span[] = [];
	const open = new Map<number, Manifest>();
	const close = (from: number): void => {
		for (const [indent, { isSecret, values }] of open)
			if (indent >= from) {
				if (isSecret) found.push(...values);
				open.delete(indent);
			}
	};
	let data: { indent: number; block: number } | undefined;
	let start = 0;
	for (const line of document.split("\n")) {
		const [, before = "", , key = "", value = ""] = LINE.exec(line) ?? [];
		const indent = key === "" ? line.search(/\S|$/) : before.length;
		const manifest = data && open.get(data.indent);
		if (data && manifest && line.trim() !== "" && indent > data.indent) {
			const isBlock = data.block >= 0 && indent > data.block;
			const at = isBlock || key === "" ? indent : line.indexOf(value, indent + key.length + 1);
			const plain = (isBlock || key === "" ? line.trim() : value).replace(/^["']|["'],?$/g, "");
			const offset = /^["']/.test(line.slice(at)) ? 1 : 0;
			const isValue = plain !== "" && !/^(?:[|>][+-]?\d?|[{}[\]],?|#.*)$/.test(plain);
			if (isValue && (isBlock || key !== ""))
				manifest.values.push({ start: start + at + offset, end: start + at + offset + plain.length });
			if (!isBlock) data.block = /^[|>]/.test(value) ? indent : -1;
		} else if (key !== "") {
			data = undefined;
			close(before.includes("-") ? indent : indent + 1);
			const own = open.get(indent) ?? { isSecret: false, values: [] };
			open.set(indent, own);
			if (key === "kind") own.isSecret = /^["']?Secret\b/.test(value);
			if (/^(?:data|stringData)$/.test(key) && /^(?:\{|#.*)?$/.test(value)) data = { indent, block: -1 };
		}
		start += line.length + 1;
	}
	close(0);
	return found;
}
