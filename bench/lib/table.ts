import type { BenchRow } from "./row.ts";

/** A report's rows as a plain table. */
export function renderTable(rows: readonly BenchRow[]): string {
	const cells = rows.map(({ what, figure, budget, ok }) => [what, figure, budget, ok ? "ok" : "OVER BUDGET"]);
	const all = [["what", "figure", "budget", ""], ...cells];
	const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
	return all
		.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
		.map((line) => `  ${line.trimEnd()}`)
		.join("\n");
}
