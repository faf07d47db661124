/**
 * Runs the benchmarks named on the command line, as in `npm run bench -- startup timeline`, or all
 * benchmarks by default. If a ratio exceeds its budget, the exit code is 1.
 */
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import type { BenchRow } from "./lib/harness.ts";

const names = process.argv.slice(2);
const known = readdirSync(new URL(".", import.meta.url))
	.filter((name) => name.endsWith(".ts") && name !== "main.ts")
	.map((name) => basename(name, ".ts"));
const unknown = names.filter((name) => !known.includes(name));

if (unknown.length > 0) {
	console.error(`unknown benchmark: ${unknown.join(", ")}; known benchmarks: ${known.join(", ")}`);
	process.exitCode = 2;
} else await report(names.length > 0 ? names : known);

/** Benchmarks run one after another, because parallel benchmarks would distort each other's results. */
async function report(measurements: readonly string[]): Promise<void> {
	console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}`);
	for (const name of measurements) {
		const { rows }: { rows(): Promise<BenchRow[]> } = await import(
			new URL(`${name}.ts`, import.meta.url).href
		);
		console.log(`\n${name}`);
		for (const row of await rows()) {
			console.log(`  ${lineOf(row)}`);
			if (fails(row)) process.exitCode = 1;
		}
	}
}

function isOver({ value, most = Number.POSITIVE_INFINITY, least = 0 }: BenchRow): boolean {
	return value > most || value < least;
}

/**
 * Absolute times depend on the machine, so a benchmark can fail only because of a ratio of two times.
 */
function fails(row: BenchRow): boolean {
	return row.unit === "×" && isOver(row);
}

function lineOf(row: BenchRow): string {
	const { what, value, unit, most, least } = row;
	if (Number.isNaN(value)) return `${what}: cannot be measured on this system`;
	const withUnit = (text: string) => (unit === "×" ? `${text}×` : `${text} ${unit}`);
	const budget = most ?? least;
	const limit = budget !== undefined && `${most === undefined ? "≥" : "≤"} ${withUnit(String(budget))}`;
	const over = fails(row) ? "OVER BUDGET" : isOver(row) && "over budget on this system";
	const notes = [limit, over].filter(Boolean).join(", ");
	const figure = withUnit(value >= 100 ? value.toFixed(0) : value.toPrecision(3));
	return `${what}: ${figure}${notes && ` (${notes})`}`;
}
