/**
 * Runs all benchmarks in this folder, or only those named as arguments (`npm run bench -- startup timeline`), and prints the results. With
 * `--json`, prints a single JSON object. Exits with code 1 if a ratio is over its budget.
 */
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type BenchRow, fails, type Rows, renderTable, reportAsJson } from "./lib/row.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const args = process.argv.slice(2);
const isJson = args.includes("--json");
const wanted = args.filter((name) => name !== "--json");
const known = readdirSync(folder)
	.filter((name) => name.endsWith(".ts") && name !== "main.ts")
	.map((name) => basename(name, ".ts"));
const unknown = wanted.filter((name) => !known.includes(name));

if (unknown.length > 0) {
	console.error(`unknown measurement: ${unknown.join(", ")}; choose from ${known.join(", ")}`);
	process.exitCode = 2;
} else {
	process.exitCode = await report(wanted.length > 0 ? wanted : known);
}

/** Runs the benchmarks one after another, because they would distort each other's results if they ran in parallel. */
async function report(names: readonly string[]): Promise<number> {
	const measured: Record<string, BenchRow[]> = {};
	if (!isJson) console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}`);
	for (const name of names) {
		const rows = await measure(name);
		measured[name] = rows;
		if (!isJson) console.log(`\n${name}\n${renderTable(rows)}`);
	}
	if (isJson) console.log(reportAsJson(measured));
	return Object.values(measured).flat().some(fails) ? 1 : 0;
}

async function measure(name: string): Promise<BenchRow[]> {
	const module: { rows?: Rows } = await import(pathToFileURL(`${folder}${name}.ts`).href);
	if (!module.rows) throw new Error(`bench/${name}.ts exports no rows().`);
	return module.rows();
}
