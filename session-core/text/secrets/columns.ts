import { strengthOf } from "./names.ts";
import { lineEnd, lineStart, type Reader } from "./scan.ts";
import { isSecretValue } from "./value.ts";

const LONGEST_LINE = 300;
const ROWS = 100;
/** Columns are parted by two blanks or more. */
const COLUMN = /\S+(?: \S+)*/g;
const HEAD = /^[\p{L}\d][\p{L}\d _/#.-]*$/u;

/** Columns set with blanks, as tools print them: `HOST  USER  PASSWORD`, and the rows below. */
export const readColumns: Reader = (scan, at) => {
	const { text } = scan;
	if (!scan.isFresh("columns", at)) return;
	const start = lineStart(text, at, LONGEST_LINE);
	const end = lineEnd(text, at, LONGEST_LINE);
	scan.reach("columns", end);
	const line = text.slice(start, end);
	if (!/\S[ \t]{2,}\S|\bUSER\b.* PASS/i.test(line)) return;
	const isWide = /\S[ ]{2,}\S/.test(line);
	const head = [...line.matchAll(isWide ? COLUMN : /\S+/g)];
	if (head.length < 2 || head.some(([name]) => !HEAD.test(name))) return;
	const columns = head.flatMap(([name], index) => {
		const strength = strengthOf(name.replaceAll(" ", "_"));
		return strength === "strong" || strength === "short" || strength === "weak" ? [{ index, strength }] : [];
	});
	if (columns.length === 0) return;
	let from = end;
	for (let row = 0; row < ROWS; row++) {
		from += text.startsWith("\r\n", from) ? 2 : 1;
		if (from >= text.length) return;
		const rowEnd = lineEnd(text, from, LONGEST_LINE);
		const rowText = text.slice(from, rowEnd);
		if (rowText.trim() === "") return;
		// A head may be parted by a rule.
		if (!/^[\s=+-]+$/.test(rowText)) {
			const wide = [...rowText.matchAll(COLUMN)];
			const cells = wide.length === head.length ? wide : [...rowText.matchAll(/\S+/g)];
			if (cells.length !== head.length) return;
			for (const { index, strength } of columns) {
				const cell = cells[index];
				const value = cell?.[0];
				if (!cell || value === undefined) continue;
				if (isSecretValue({ value, name: strength, style: "quoted", next: "" }))
					scan.hide(from + cell.index, from + cell.index + value.length);
			}
		}
		scan.reach("columns", rowEnd);
		from = rowEnd;
	}
};
