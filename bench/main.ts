/**
 * Runs all benchmarks in this folder, or only those named as arguments (`npm run bench -- startup timeline`), and prints the results. With
 * `--json`, prints a single JSON object; with `--write`, also writes the table in docs/performance.md. Exits with code 1 if a ratio is over
 * its budget.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { BenchRow, Rows } from "./lib/harness.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { json: { type: "boolean" }, write: { type: "boolean" } },
});
const known = readdirSync(folder)
	.filter((name) => name.endsWith(".ts") && name !== "main.ts")
	.map((name) => basename(name, ".ts"));
const unknown = positionals.filter((name) => !known.includes(name));
const system = { node: process.versions.node, platform: `${process.platform} ${process.arch}` };

if (unknown.length > 0) {
	console.error(`unknown measurement: ${unknown.join(", ")}; choose from ${known.join(", ")}`);
	process.exitCode = 2;
} else await report(positionals.length > 0 ? positionals : known);

/** Runs the benchmarks one after another, because they would distort each other's results if they ran in parallel. */
async function report(names: readonly string[]): Promise<void> {
	const all: (BenchRow & { bench: string; share: number | undefined })[] = [];
	if (!values.json) console.log(`Node ${system.node}, ${system.platform}`);
	for (const bench of names) {
		const { rows }: { rows: Rows } = await import(pathToFileURL(`${folder}${bench}.ts`).href);
		if (!values.json) console.log(`\n${bench}`);
		for (const row of await rows()) {
			all.push({ bench, ...row, share: shareOfBudget(row) });
			if (!values.json) console.log(`  ${lineOf(row)}`);
		}
	}
	const ok = !all.some(fails);
	if (values.json) console.log(JSON.stringify({ ...system, ok, rows: all }, null, 2));
	if (values.write) writeTable(all);
	process.exitCode = ok ? 0 : 1;
}

/**
 * Returns the fraction of its budget that a value uses; at most 1 is within budget. Returns undefined if there is no budget or no value.
 */
function shareOfBudget({ value, budget }: BenchRow): number | undefined {
	if (!budget || Number.isNaN(value)) return undefined;
	return budget.kind === "most" ? value / budget.value : budget.value / value;
}

/**
 * Whether a value makes the run fail. Only ratios of measurements from the same run can do so, because a slow or busy machine must not make
 * the run fail.
 */
function fails(row: BenchRow): boolean {
	return row.unit === "×" && (shareOfBudget(row) ?? 0) > 1;
}

function lineOf(row: BenchRow): string {
	const { what, value, unit, budget } = row;
	if (Number.isNaN(value)) return `${what}: not available here`;
	const withUnit = (text: string) => (unit === "×" ? `${text}×` : `${text} ${unit}`);
	const limit = budget && `${budget.kind === "most" ? "≤" : "≥"} ${withUnit(String(budget.value))}`;
	const over = fails(row) ? "OVER BUDGET" : (shareOfBudget(row) ?? 0) > 1 && "over budget here";
	const notes = [limit, over].filter(Boolean).join(", ");
	const figure = withUnit(value >= 100 ? value.toFixed(0) : value.toPrecision(3));
	return `${what}: ${figure}${notes && ` (${notes})`}`;
}

function writeTable(rows: readonly { what: string; share: number | undefined }[]): void {
	const document = new URL("../docs/performance.md", import.meta.url);
	const lines = rows.flatMap(({ what, share }) =>
		share === undefined ? [] : `| ${what} | ${share < 0.01 ? "< 1" : (share * 100).toFixed(0)} % |`,
	);
	const head = ["| Measurement | Share of the budget used |", "|---|---|"];
	const table = [`Node ${system.node}, ${system.platform}.`, "", ...head, ...lines, ""].join("\n");
	const text = readFileSync(document, "utf8");
	writeFileSync(document, text.replace(/(<!-- table -->\n)[\s\S]*(<!-- end of table -->)/, `$1${table}$2`));
}
