/**
 * Updates the table in docs/performance.md from a benchmark report: run `npm run bench --silent -- --json > report.json`, then `npm run
 * performance -- report.json`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

interface Report {
	rows: { what: string; share: number | null }[];
	node: string;
	platform: string;
}

const [path] = process.argv.slice(2);
if (!path) {
	console.error("usage: npm run performance -- report.json");
	process.exit(2);
}
const DOCUMENT = new URL("../docs/performance.md", import.meta.url);
const TABLE = /(<!-- table -->\n)[\s\S]*(<!-- end of table -->)/;
const { rows, node, platform }: Report = JSON.parse(readFileSync(resolve(path), "utf8"));
const lines = rows.flatMap(({ what, share }) =>
	share === null ? [] : [`| ${what[0]?.toUpperCase()}${what.slice(1)} | ${percent(share)} |`],
);
const table = [
	`Node ${node}, ${platform}.`,
	"",
	"| Measurement | Share of the budget used |",
	"|---|---|",
	...lines,
	"",
].join("\n");
writeFileSync(DOCUMENT, readFileSync(DOCUMENT, "utf8").replace(TABLE, `$1${table}$2`));
console.log(`wrote ${lines.length} lines`);

function percent(share: number): string {
	return share < 0.01 ? "< 1 %" : `${(share * 100).toFixed(0)} %`;
}
