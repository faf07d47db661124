import { type BenchRow, isWithin } from "./row.ts";

/** A report's rows as a plain table. */
export function renderTable(rows: readonly BenchRow[]): string {
	const cells = rows.map((row) => [row.what, figure(row), budget(row), isWithin(row) ? "ok" : "OVER BUDGET"]);
	const all = [["what", "figure", "budget", ""], ...cells];
	const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
	return all
		.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
		.map((line) => `  ${line.trimEnd()}`)
		.join("\n");
}

function figure({ value, unit }: BenchRow): string {
	if (Number.isNaN(value)) return "not known here";
	return withUnit(digits(value), unit);
}

function budget({ budget, unit }: BenchRow): string {
	if (!budget) return "–";
	return `${budget.kind === "most" ? "≤" : "≥"} ${withUnit(String(budget.value), unit)}`;
}

/** Three digits that count, and whole numbers from a hundred. */
function digits(value: number): string {
	return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function withUnit(value: string, unit: string): string {
	return unit === "×" ? `${value}×` : `${value} ${unit}`;
}
