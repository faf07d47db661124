/** One measured line of the report. Figures are ratios within one run where a machine's speed would decide. */
export interface BenchRow {
	/** What was measured, in words. */
	what: string;
	/** The result, with its unit: `1.02×`, `0.8 µs`. */
	figure: string;
	/** What it must keep to: `≤ 1.03`; `–` where it is only told. */
	budget: string;
	ok: boolean;
}

/** What every file in `bench/` exports. */
export type Rows = () => Promise<BenchRow[]>;
