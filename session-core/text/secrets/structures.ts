import type { NameKind } from "./names.ts";
import { endOf, type Reader, type Scan } from "./scan.ts";
import { isGenerated, isLocation, isPlaceholder, looksMadeUp } from "./values.ts";

/**
 * This module finds values in a column whose header is the name of a secret, and in Kubernetes secrets.
 */

const IN_HEADER = /["'`*]{0,3}(?:[ \t]{0,60}(?:[|│┃,\t)]|\r?\n|$)| {2})/y;
const LONGEST_ROW = 1_000;
const LONGEST_TABLE = 4_000;

const TABLES: readonly { header: RegExp; cells: RegExp }[] = [
	{
		header: /^[^\n]*[|│┃][^\n]*\n[ \t]*[|+\u2500-\u257f]?[-:=\u2500-\u257f]{2,}[-:|+=\u2500-\u257f \t]*\r?\n/,
		cells: /[|│┃]/,
	},
	{ header: /^ *[\w-]+(?: *\|\|? *[\w-]+)+ *\r?\n/, cells: /\|\|?/ },
	{ header: /^[\w "-]{1,60}(?:[,\t][\w "-]{1,60})+\r?\n/, cells: /[,\t]/ },
	{ header: /^.*\([\w"`, \n]+\)\s{0,9}values\s{0,9}(?=\()/i, cells: /,/ },
	{ header: /^(?=[^\n]*pass) {0,9}[\w-]{1,40}(?: {2,40}[\w-]{1,40})+ *\r?\n/i, cells: / {2,}/ },
];
/** Several rows of an SQL statement may be on one line. */
const ROW_END = /\n|(?<=\)),(?=[ \t]{0,9}\()/;
const CELL = /[^\s"'`(].*?(?=["'`)]{0,3}[;,)]*\s*$)/;

/**
 * Redacts only values that look like passwords, because a column may also contain labels and counts.
 */
export function readColumn(scan: Scan, name: { start: number; end: number; kind: NameKind }): void {
	const { text } = scan;
	// In the rows of a table that was already searched, the name is a value and not a header.
	if (name.start >= scan.reachedBy(TABLES) && name.start < scan.reachedBy(readColumn)) return;
	if (endOf(IN_HEADER, text, name.end) === undefined) return;
	const before = text.slice(Math.max(0, name.start - LONGEST_ROW), name.start);
	if (before.lastIndexOf("\n") < before.length - LONGEST_ROW) return;
	const from = name.start - before.length + before.lastIndexOf("\n") + 1;
	const top = text.slice(from, from + 2 * LONGEST_ROW);
	for (const { header, cells } of TABLES) {
		const first = header.exec(top)?.[0] ?? "";
		if (first.length < name.end - from) continue;
		const list = /values\s*$/i.test(first) ? first.lastIndexOf("(", name.start - from) : 0;
		const inRow = first.slice(Math.max(0, list), name.start - from);
		const column = inRow.split(cells).length - 1;
		let at = from + first.length;
		scan.reach(TABLES, at);
		for (const row of text.slice(at, at + LONGEST_TABLE).split(ROW_END)) {
			const separators = [...row.matchAll(new RegExp(`"[^"]*"|'[^']*'|${cells.source}`, "g"))].filter(
				([sign]) => !/^["']/.test(sign),
			);
			if (separators.length === 0 || column > separators.length) return;
			const [before, after] = [separators[column - 1], separators[column]];
			const first = before ? before.index + before[0].length : 0;
			const value = CELL.exec(row.slice(first, after?.index));
			const start = at + first + (value?.index ?? 0);
			if (value && isCell(value[0], name.kind)) scan.hide(start, start + value[0].length);
			at += row.length + 1;
			scan.reach(readColumn, at);
		}
		return;
	}
}

function isCell(value: string, kind: NameKind): boolean {
	if (/\s/.test(value) || isPlaceholder(value) || isLocation(value)) return false;
	if (kind !== "certain") return isGenerated(value, 16);
	return looksMadeUp(value);
}

const KIND = /kind["']?:[ \t]{0,3}["']?Secret(?![\w-])/y;
/** A YAML file may contain several objects, as documents or as list items. */
const OBJECT =
	/^---|^[ \t]*- +(?=(?:apiVersion|data|kind|metadata|stringData):)|\{(?=\s*"(?:apiVersion|kind)"\s?:)/gm;
const DATA =
	/^([ \t]*)["']?(?:data|stringData)["']?:[ \t]*\{?[ \t]*(?:#.*)?\r?\n((?:\1[ \t].*\n?|[ \t]*\r?\n)*)|"(?:data|stringData)"\s?:\s?\{([^{}]*)/gm;
/** A comment, or a key without a value, is not a secret. */
const VALUE =
	/^[ \t]*(?!["']?[\w.-]+["']?:[ \t]*(?:[|>][+-]?\d?|\{.*|"\{\{.*\}\}")?\s*$)(?:["']?[\w.-]+["']?:[ \t]+)?["']?([^{}#\s].*?)["']?,?\r?$/dgm;
const JSON_VALUE = /:\s?"([^"]+)/dg;
const NEAR = 32 * 1024;
const BOUND = 128 * 1024;

/** Redacts everything under `data` or `stringData` if the object's kind is `Secret`. */
export const readManifest: Reader = (scan, at) => {
	scan.look(at - NEAR, at + NEAR);
	if (at < scan.reachedBy(readManifest) || endOf(KIND, scan.text, at) === undefined) return;
	const from = Math.max(scan.reachedBy(readManifest), at - BOUND);
	const text = scan.text.slice(from, at + BOUND);
	const starts = [...text.matchAll(OBJECT)].map(({ index }) => index);
	const start = starts.findLast((one) => one <= at - from) ?? 0;
	const end = starts.find((one) => one > at - from) ?? text.length;
	scan.reach(readManifest, from + end);
	// In a list item, spaces replace the hyphen, so that all keys are aligned.
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
