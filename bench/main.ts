// Prints every measurement in this folder, or those named as arguments: `npm run bench -- startup timeline`.
import { existsSync, readdirSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { BenchRow, Rows } from "./lib/row.ts";
import { renderTable } from "./lib/table.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const wanted = process.argv.slice(2);
const known = readdirSync(folder)
	.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && name !== "main.ts")
	.map((name) => basename(name, ".ts"));
const unknown = wanted.filter((name) => !existsSync(`${folder}${name}.ts`));

if (unknown.length > 0) {
	console.error(`No such measurement: ${unknown.join(", ")}. There are: ${known.join(", ")}.`);
	process.exitCode = 2;
} else {
	process.exitCode = await report(wanted.length > 0 ? wanted : known);
}

/** Measure one after the other, never at once: they would disturb each other. */
async function report(names: readonly string[]): Promise<number> {
	let failures = 0;
	console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}`);
	for (const name of names) {
		const rows = await measure(name);
		failures += rows.filter(({ ok }) => !ok).length;
		console.log(`\n${name}\n${renderTable(rows)}`);
	}
	return failures === 0 ? 0 : 1;
}

async function measure(name: string): Promise<BenchRow[]> {
	const module: { rows?: Rows } = await import(pathToFileURL(`${folder}${name}.ts`).href);
	if (!module.rows) throw new Error(`bench/${name}.ts exports no rows().`);
	return module.rows();
}
