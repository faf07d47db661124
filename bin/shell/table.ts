import { wrapped } from "./wrap.ts";

/** Columns that a text has to have beside its label; with less it goes below. */
const BESIDE = 28;

/** Labels with what they mean, in a terminal's width; undefined: in lines of any length. */
export function tableLines(
	rows: readonly (readonly [label: string, text: string])[],
	columns: number | undefined,
): string[] {
	const width = Math.max(0, ...rows.map(([label]) => label.length));
	const indent = 2 + width + 2;
	if (columns === undefined) return rows.map(([label, text]) => `  ${label.padEnd(width)}  ${text}`);
	return rows.flatMap(([label, text]) => {
		if (columns - indent >= BESIDE || indent + text.length <= columns) {
			const [first = "", ...more] = wrapped(text, columns - indent);
			return [`  ${label.padEnd(width)}  ${first}`, ...more.map((line) => " ".repeat(indent) + line)];
		}
		const below = wrapped(text, columns - 6).map((line) => `      ${line}`);
		return [...wrapped(label, columns - 2).map((line) => `  ${line}`), ...below];
	});
}
