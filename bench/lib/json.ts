import { type BenchRow, isWithin, shareOfBudget } from "./row.ts";

/**
 * A report for programs: one object. `share` is how much of its budget a row uses (up to 1 is within); it is null where a row
 * has no budget, and `value` where it cannot be measured on this machine.
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
	return JSON.stringify(
		{
			node: process.versions.node,
			platform: `${process.platform} ${process.arch}`,
			ok: rows.every(({ ok }) => ok),
			rows,
		},
		null,
		2,
	);
}
