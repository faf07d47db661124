/**
 * Runs all benchmarks in this folder, or only those named as arguments (`npm run bench -- startup timeline`), and prints the results. With
 * `--write`, also writes the table in docs/performance.md. Exits with code 1 if a ratio is over its budget.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import type { BenchRow } from "./lib/harness.ts";

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { write: { type: "boolean" } },
});
const known = readdirSync(new URL(".", import.meta.url))
	.filter((name) => name.endsWith(".ts") && name !== "main.ts")
	.map((name) => basename(name, ".ts"));
const unknown = positionals.filter((name) => !known.includes(name));
const system = `Node ${process.versions.node}, ${process.platform} ${process.arch}`;

if (unknown.length > 0) {
	console.error(`unknown measurement: ${unknown.join(", ")}; choose from ${known.join(", ")}`);
	process.exitCode = 2;
} else await report(positionals.length > 0 ? positionals : known);

/** Runs the benchmarks one after another, because they would distort each other's results if they ran in parallel. */
async function report(names: readonly string[]): Promise<void> {
	const all: BenchRow[] = [];
	console.log(system);
	for (const name of names) {
		const { rows }: { rows(): Promise<BenchRow[]> } = await import(
			new URL(`${name}.ts`, import.meta.url).href
		);
		console.log(`\n${name}`);
		for (const row of await rows()) {
			all.push(row);
			console.log(`  ${lineOf(row)}`);
		}
	}
	if (values.write) writeTable(all);
	process.exitCode = all.some(fails) ? 1 : 0;
}

/** Returns the fraction of its budget that a value uses; at most 1 is within budget. Returns 0 if there is no budget or no value. */
function shareOfBudget({ value, most, least = 0 }: BenchRow): number {
	return (most === undefined ? least / value : value / most) || 0;
}

/**
 * Whether a value makes the run fail. Only ratios of measurements from the same run can do so, because a slow or busy machine must not make
 * the run fail.
 */
function fails(row: BenchRow): boolean {
	return row.unit === "×" && shareOfBudget(row) > 1;
}

function lineOf(row: BenchRow): string {
	const { what, value, unit, most, least } = row;
	if (Number.isNaN(value)) return `${what}: not available here`;
	const withUnit = (text: string) => (unit === "×" ? `${text}×` : `${text} ${unit}`);
	const budget = most ?? least;
	const limit = budget !== undefined && `${most === undefined ? "≥" : "≤"} ${withUnit(String(budget))}`;
	const over = fails(row) ? "OVER BUDGET" : shareOfBudget(row) > 1 && "over budget here";
	const notes = [limit, over].filter(Boolean).join(", ");
	const figure = withUnit(value >= 100 ? value.toFixed(0) : value.toPrecision(3));
	return `${what}: ${figure}${notes && ` (${notes})`}`;
}

function writeTable(rows: readonly BenchRow[]): void {
	const document = new URL("../docs/performance.md", import.meta.url);
	const lines = rows.flatMap((row) => {
		const share = shareOfBudget(row);
		return share === 0 ? [] : `| ${row.what} | ${share < 0.01 ? "< 1" : (share * 100).toFixed(0)} % |`;
	});
	const head = ["| Measurement | Share of the budget used |", "|---|---|"];
	const table = [`${system}.`, "", ...head, ...lines, ""].join("\n");
	const text = readFileSync(document, "utf8");
	writeFileSync(document, text.replace(/(<!-- table -->\n)[\s\S]*(<!-- end of table -->)/, `$1${table}$2`));
}
