import type { Reader } from "./scan.ts";

/** Finds the values of Kubernetes secrets: every value under `data` or `stringData` of an object whose kind is `Secret`. */

const KIND = /kind["']?:[ \t]{0,3}["']?Secret(?![\w-])/y;
/** Matches where an object begins: a document, the item of a list, or an object in JSON without line breaks. */
const OBJECT =
	/^---|^[ \t]*- +(?=(?:apiVersion|data|kind|metadata|stringData):)|\{(?=\s*"(?:apiVersion|kind)"\s?:)/m;
/** Matches the key of the values in an object, with the text before it on the same line. */
const DATA =
	/^([ \t]*(?:- +)?["']?(?:data|stringData)["']?:)[ \t]*\{?[ \t]*(?:#.*)?\r?$|"(?:data|stringData)"\s?:\s?\{([^{}]*)/gm;
/** Matches the value in a line, without quotation marks; the whole line if it has no key. Comments and block indicators are not values. */
const VALUE =
	/^[ \t]*(?:- +)?(?:["']?[\w.-]+["']?:(?:[ \t]+|$))?["']?(?![|>][+-]?\d?\s*$|[{}#\s])(.*?)["']?,?\r?$/d;
const JSON_VALUE = /(?<=:\s?")[^"]+/g;
/** Number of characters around a kind that may be covered by a layer. */
const NEAR_KIND = 32 * 1024;
/** Maximum number of a document's characters that are read before and after its kind. */
const BOUND = 128 * 1024;

export const readManifest: Reader = (scan, at) => {
	const { text } = scan;
	scan.look(at - NEAR_KIND, at + NEAR_KIND);
	KIND.lastIndex = at;
	if (at < scan.reachedBy(readManifest) || !KIND.test(text)) return;
	const from = Math.max(scan.reachedBy(readManifest), text.lastIndexOf("\n---", at) + 1, at - BOUND);
	const next = text.indexOf("\n---", at);
	const to = Math.min(next < 0 ? text.length : next, at + BOUND);
	scan.reach(readManifest, to);
	let start = from;
	for (const object of text.slice(from, to).split(OBJECT)) {
		start = text.indexOf(object, start);
		if (/kind["']?:[ \t]{0,3}["']?Secret(?![\w-])/.test(object))
			for (const [first, last] of valuesIn(object)) scan.hide(start + first, start + last);
		start += object.length;
	}
};

function* valuesIn(object: string): Generator<readonly [start: number, end: number], void, void> {
	for (const { 0: all, 1: key, 2: inline = "", index } of object.matchAll(DATA)) {
		const end = index + all.length;
		for (const { 0: value, index: at } of inline.matchAll(JSON_VALUE))
			yield [end - inline.length + at, end - inline.length + at + value.length];
		if (key === undefined) continue;
		const indent = key.search(/[^\s-]/);
		let start = end + 1;
		for (const line of object.slice(start).split("\n")) {
			if (line.trim() !== "" && line.search(/\S/) <= indent) break;
			const [first = 0, last = 0] = VALUE.exec(line)?.indices?.[1] ?? [];
			if (last > first) yield [start + first, start + last];
			start += line.length + 1;
		}
	}
}
