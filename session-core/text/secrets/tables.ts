import { type Strength, strengthOf } from "./names.ts";
import { lineEnd, lineStart, type Reader, type Scan } from "./scan.ts";
import { isSecretValue } from "./value.ts";

/** A head's line, and the rows below it that are looked at. */
const LONGEST_LINE = 600;
const ROWS = 200;

interface Cell {
	start: number;
	text: string;
}

/** The secrets' columns of CSV, of tables in Markdown and of what tools print with tabs, by the names in the head. */
export const readTable: Reader = (scan, at) => {
	const { text } = scan;
	if (!scan.isFresh("table", at)) return;
	const start = lineStart(text, at, LONGEST_LINE);
	const end = lineEnd(text, at, LONGEST_LINE);
	scan.reach("table", end);
	const line = text.slice(start, end);
	const sign = ["|", "\t", ";", ","].find((candidate) => line.includes(candidate));
	if (sign === undefined || /[(){}=<>]/.test(line)) return;
	const head = cellsOf(line, start, sign);
	const columns = secretColumns(head);
	if (columns.size === 0) return;
	const hasRule = /^\r?\n[ \t|:-]{5,}(?:\n|$)/.test(text.slice(end, end + LONGEST_LINE));
	if (sign !== "|" || hasRule) readRows(scan, end, sign, head.length, columns);
};

/** `INSERT INTO users (name, password) VALUES ('bob', '…')` */
export const readInsert: Reader = (scan, at, literal) => {
	const { text } = scan;
	const columns = /\(([^()]{1,400})\)\s{0,5}$/.exec(text.slice(Math.max(0, at - 420), at))?.[1];
	if (columns === undefined) return;
	const secret = secretColumns(cellsOf(columns.replace(/["'`[\]]/g, ""), 0, ","));
	if (secret.size === 0) return;
	ROW.lastIndex = at + literal.length;
	for (let row = ROW.exec(text); row; row = ROW.exec(text)) {
		const start = ROW.lastIndex - 1 - (row[1] ?? "").length;
		for (const [index, cell] of cellsOf(row[1] ?? "", start, ",", "'").entries())
			if (secret.has(index) && cell.text.length > 1 && cell.text !== "NULL")
				scan.hide(cell.start, cell.start + cell.text.length);
	}
};

/** A row of values, which may hold quoted brackets; its length is bounded. */
const ROW = /[\s,]{0,10}\(((?:'(?:[^'\\]|\\.|''){0,400}'|[^'()]){1,2000})\)/y;

function secretColumns(head: readonly Cell[]): Map<number, Strength> {
	const columns = new Map<number, Strength>();
	const names = head.map(({ text }) => text).filter((text) => text !== "");
	if (names.length < 2 || names.some((name) => !/^[\p{L}\p{M}\d][\p{L}\p{M}\d _/.-]{0,40}$/u.test(name)))
		return columns;
	for (const [index, { text }] of head.entries()) {
		const words = text.split(" ");
		const strength =
			strengthOf(words.at(-1) ?? "", words.at(-2)) ??
			(words.length > 1 ? strengthOf(text.replaceAll(" ", "_")) : undefined);
		if (strength === "strong" || strength === "short" || strength === "weak") columns.set(index, strength);
		else if (/secret/i.test(text)) columns.set(index, "weak");
	}
	return columns;
}

function readRows(
	scan: Scan,
	from: number,
	sign: string,
	width: number,
	columns: ReadonlyMap<number, Strength>,
): void {
	const { text } = scan;
	let start = nextLine(text, from);
	for (let row = 0; row < ROWS && start < text.length; row++) {
		const end = lineEnd(text, start, LONGEST_LINE * 4);
		const cells = cellsOf(text.slice(start, end), start, sign);
		if (cells.length !== width) return;
		for (const [index, strength] of columns) {
			const cell = cells[index];
			if (!cell || cell.text === "" || /^:?-+:?$/.test(cell.text)) continue;
			if (/^[A-Za-z][a-z _-]{1,30}$/.test(cell.text) && strengthOf(cell.text) !== undefined) return;
			const secret =
				isSecretValue({ value: cell.text, name: strength, style: "quoted", next: "" }) &&
				(strength !== "weak" || /\d/.test(cell.text));
			if (secret && !/[(){}]/.test(cell.text)) scan.hide(cell.start, cell.start + cell.text.length);
		}
		scan.reach("table", end);
		start = nextLine(text, end);
	}
}

function nextLine(text: string, end: number): number {
	return text.startsWith("\r\n", end) ? end + 2 : end + 1;
}

/** The cells of a line, without blanks and quotation marks around them. */
function cellsOf(line: string, offset: number, sign: string, quote = '"'): Cell[] {
	const cells: Cell[] = [];
	let start = 0;
	let isQuoted = false;
	for (let at = 0; at <= line.length; at++) {
		const character = line.charAt(at);
		if (character === quote) isQuoted = !isQuoted;
		if (at < line.length && (isQuoted || character !== sign)) continue;
		const raw = line.slice(start, at);
		const text = raw.trim().replace(/^["'`*]{1,3}|["'`*]{1,3}$/g, "");
		cells.push({ start: offset + start + Math.max(0, raw.indexOf(text)), text });
		start = at + 1;
	}
	return cells;
}
