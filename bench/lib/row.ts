/** One row of the report, which contains a single measured value. */
export interface BenchRow {
	/** What was measured, in a few words. */
	what: string;
	/** The measured value, or NaN if it cannot be measured on this system. */
	value: number;
	/** Unit of the value: `×` for a ratio of two measurements of this run, otherwise `ms`, `µs`, `MB`, `ticks` … */
	unit: string;
	/** The value's budget, if it has one. Values without a budget are only printed. */
	budget?: { kind: "most" | "least"; value: number };
}

/** The type of the function that every benchmark file in `bench/` exports as `rows`. */
export type Rows = () => Promise<BenchRow[]>;

export function atMost(what: string, value: number, budget: number, unit: string): BenchRow {
	return { what, value, unit, budget: { kind: "most", value: budget } };
}

export function atLeast(what: string, value: number, budget: number): BenchRow {
	return { what, value, unit: "×", budget: { kind: "least", value: budget } };
}

export function figureOnly(what: string, value: number, unit: string): BenchRow {
	return { what, value, unit };
}

/**
 * Returns the fraction of its budget that a value uses; at most 1 is within budget. Returns undefined if there is no budget or no value.
 */
function shareOfBudget({ value, budget }: BenchRow): number | undefined {
	if (!budget || Number.isNaN(value)) return undefined;
	return budget.kind === "most" ? value / budget.value : budget.value / value;
}

function isWithin(row: BenchRow): boolean {
	return (shareOfBudget(row) ?? 0) <= 1;
}

/**
 * Whether a value makes the run fail. Only ratios of measurements from the same run can do so, because a slow or busy machine must not make
 * the run fail.
 */
export function fails(row: BenchRow): boolean {
	return row.unit === "×" && !isWithin(row);
}

/** Returns a report's rows as a plain table. */
export function renderTable(rows: readonly BenchRow[]): string {
	const cells = rows.map((row) => [row.what, figure(row), budgetOf(row), verdict(row)]);
	const all = [["what", "figure", "budget", ""], ...cells];
	const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
	return all
		.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
		.map((line) => `  ${line.trimEnd()}`)
		.join("\n");
}

function verdict(row: BenchRow): string {
	if (fails(row)) return "OVER BUDGET";
	return isWithin(row) ? "ok" : "over budget here";
}

function figure({ value, unit }: BenchRow): string {
	if (Number.isNaN(value)) return "not available here";
	return withUnit(value >= 100 ? value.toFixed(0) : value.toPrecision(3), unit);
}

function budgetOf({ budget, unit }: BenchRow): string {
	if (!budget) return "–";
	return `${budget.kind === "most" ? "≤" : "≥"} ${withUnit(String(budget.value), unit)}`;
}

function withUnit(value: string, unit: string): string {
	return unit === "×" ? `${value}×` : `${value} ${unit}`;
}

/**
 * Returns the report as a single JSON object. `share` is the fraction of the budget that is used. `value` is null if it cannot be measured
 * on this system.
 */
export function reportAsJson(benches: Readonly<Record<string, readonly BenchRow[]>>): string {
	const rows = Object.entries(benches).flatMap(([bench, found]) =>
		found.map((row) => ({
			bench,
			what: row.what,
			value: Number.isNaN(row.value) ? null : row.value,
			unit: row.unit,
			budget: row.budget ?? null,
			share: shareOfBudget(row) ?? null,
			ok: isWithin(row),
		})),
	);
	const { node } = process.versions;
	const platform = `${process.platform} ${process.arch}`;
	const ok = !Object.values(benches).flat().some(fails);
	return JSON.stringify({ node, platform, ok, rows }, null, 2);
}
