import type { NameKind } from "./names.ts";
import { endOf, type Scan } from "./scan.ts";
import { isGenerated, isLocation, isMixed, isPlaceholder, looksLikePassword } from "./values.ts";

/**
 * Finds values in a column whose header is the name of a secret: in Markdown tables, the output of psql, CSV files and SQL's `INSERT`. A
 * cell is redacted only if it looks like a password, because a column may also contain labels and counts.
 */

/** Matches what follows a name in the header row of a table. */
const IN_HEADER = /["'`*]{0,3}[ \t]{0,60}(?:[|│,\t)]|\r?\n|$)/y;
const LONGEST_ROW = 1_000;
/** Number of characters below the header row that are read. */
const READ = 4_000;

/** Kinds of tables: a pattern for the header row, and one for the separator of cells. */
const TABLES: readonly { header: RegExp; cells: RegExp }[] = [
	{ header: /^[^\n]*\n[ \t]*[|│├+]?[-:=─]{2,}[-:|│+=─┼┤ \t]*\r?\n/, cells: /[|│]/ },
	{ header: /^[\w "-]{1,60}(?:,[\w "-]{1,60})+\r?\n/, cells: /,/ },
	{ header: /^[\w "-]{1,60}(?:\t[\w "-]{1,60})+\r?\n/, cells: /\t/ },
	{ header: /^.*\([\w"`, \n]+\)\s{0,9}values\s{0,9}(?=\()/i, cells: /,/ },
];

/** Redacts the values in the column below a name if the name is in the header row of a table. */
export function readColumn(scan: Scan, name: { start: number; end: number; kind: NameKind }): void {
	const { text } = scan;
	// A name in the rows of a table that was already read is not a header.
	if (name.start >= scan.reachedBy(TABLES) && name.start < scan.reachedBy(readColumn)) return;
	if (endOf(IN_HEADER, text, name.end) === undefined) return;
	const before = text.slice(Math.max(0, name.start - LONGEST_ROW), name.start);
	const from = name.start - before.length + before.lastIndexOf("\n") + 1;
	const table = text.slice(from, from + LONGEST_ROW * 2);
	for (const { header, cells } of TABLES) {
		const first = header.exec(table)?.[0];
		if (first === undefined || first.length < name.end - from) continue;
		const start = Math.max(0, first.lastIndexOf("(", name.start - from));
		const column = first.slice(start, name.start - from).split(cells).length - 1;
		const rows = text.slice(from + first.length, from + first.length + READ);
		scan.reach(TABLES, from + first.length);
		readRows(scan, name.kind, { rows, from: from + first.length, cells, column });
		return;
	}
}

function readRows(
	scan: Scan,
	kind: NameKind,
	table: { rows: string; from: number; cells: RegExp; column: number },
): void {
	const { rows, cells, column } = table;
	let at = table.from;
	for (const row of rows.split("\n")) {
		const parts = row.split(cells);
		const cell = parts[column];
		if (cell === undefined || parts.length < 2) return;
		const value = /[^\s"'`(].*?(?=["'`)]{0,3}[;,)]*\s*$)/.exec(cell);
		const start = at + parts.slice(0, column).join(" ").length + (column > 0 ? 1 : 0) + (value?.index ?? 0);
		if (value && isCell(value[0], kind)) scan.hide(start, start + value[0].length);
		at += row.length + 1;
		scan.reach(readColumn, at);
	}
}

function isCell(value: string, kind: NameKind): boolean {
	if (/\s/.test(value) || isPlaceholder(value) || isLocation(value)) return false;
	if (kind !== "certain") return isGenerated(value, 16);
	return looksLikePassword(value) || isGenerated(value) || isMixed(value);
}
