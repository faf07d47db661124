/** One measured line of the report. Ratios are taken within one run where a machine's speed would decide. */
export interface BenchRow {
	/** What was measured, in words. */
	what: string;
	/** NaN where the system does not tell. */
	value: number;
	/** `×` for a ratio, `ms`, `µs`, `MB`, `ticks` … */
	unit: string;
	/** What the value must keep to; absent where it is only told. */
	budget?: { kind: "most" | "least"; value: number };
}

/** What every file in `bench/` exports. */
export type Rows = () => Promise<BenchRow[]>;

export function atMost(what: string, value: number, budget: number, unit: string): BenchRow {
	return { what, value, unit, budget: { kind: "most", value: budget } };
}

export function atLeast(what: string, value: number, budget: number, unit = "×"): BenchRow {
	return { what, value, unit, budget: { kind: "least", value: budget } };
}

export function told(what: string, value: number, unit: string): BenchRow {
	return { what, value, unit };
}

/** How much of its budget a value uses: up to 1 is within. Undefined where there is no budget or no value. */
export function shareOfBudget({ value, budget }: BenchRow): number | undefined {
	if (!budget || Number.isNaN(value)) return undefined;
	return budget.kind === "most" ? value / budget.value : budget.value / value;
}

/** What cannot be measured here is not over its budget. */
export function isWithin(row: BenchRow): boolean {
	return (shareOfBudget(row) ?? 0) <= 1;
}
