import { endOf, type Reader } from "./scan.ts";

const KIND = /kind["']?:[ \t]{0,3}["']?Secret(?![\w-])/y;
/** A YAML file may contain several objects, as separate documents or as items of a list. */
const OBJECT =
	/^---|^[ \t]*- +(?=(?:apiVersion|data|kind|metadata|stringData):)|\{(?=\s*"(?:apiVersion|kind)"\s?:)/gm;
const DATA =
	/^([ \t]*)["']?(?:data|stringData)["']?:[ \t]*\{?[ \t]*(?:#.*)?\r?\n((?:\1[ \t].*\n?|[ \t]*\r?\n)*)|"(?:data|stringData)"\s?:\s?\{([^{}]*)/gm;
/** Matches a line with a secret. Comments, and keys without a value, do not match. */
const VALUE =
	/^[ \t]*(?!["']?[\w.-]+["']?:[ \t]*(?:[|>][+-]?\d?|\{.*|"\{\{.*\}\}")?\s*$)(?:["']?[\w.-]+["']?:[ \t]+)?["']?([^{}#\s].*?)["']?,?\r?$/dgm;
const JSON_VALUE = /:\s?"([^"]+)/dg;
const BOUND = 128 * 1024;

/** Redacts all values under `data` and `stringData` in a Kubernetes object whose kind is `Secret`. */
export const readManifest: Reader = (scan, at) => {
	scan.isPromising = true;
	if (at < scan.reachedBy(readManifest) || endOf(KIND, scan.text, at) === undefined) return;
	const from = Math.max(scan.reachedBy(readManifest), at - BOUND);
	const text = scan.text.slice(from, at + BOUND);
	const starts = [...text.matchAll(OBJECT)].map(({ index }) => index);
	const start = starts.findLast((one) => one <= at - from) ?? 0;
	const end = starts.find((one) => one > at - from) ?? text.length;
	scan.reach(readManifest, from + end);
	// In a YAML list item, the hyphen is replaced by spaces, so that all keys of the item are aligned.
	const object = text.slice(start, end).replace(/^[ \t]*- +(?=\w+:)/gm, (item) => " ".repeat(item.length));
	for (const { 0: all, 2: lines, 3: inline = "", index } of object.matchAll(DATA)) {
		const values = (lines ?? inline).matchAll(lines === undefined ? JSON_VALUE : VALUE);
		const first = from + start + index + all.length - (lines ?? inline).length;
		for (const { indices } of values) {
			const [valueStart = 0, valueEnd = 0] = indices?.[1] ?? [];
			scan.hide(first + valueStart, first + valueEnd);
		}
	}
};
