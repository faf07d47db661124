// Writes docs/performance.md's table and its plot from a report: `npm run bench --silent -- --json > report.json`, then
// `npm run performance -- report.json`.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Curve, plotAsSvg } from "./plot.ts";

interface Row {
	bench: string;
	what: string;
	value: number | null;
	unit: string;
	budget: { kind: "most" | "least"; value: number } | null;
	share: number | null;
}

const [report] = process.argv.slice(2);
if (!report) {
	console.error("usage: npm run performance -- report.json");
	process.exit(2);
}
const { rows, node, platform }: { rows: Row[]; node: string; platform: string } = JSON.parse(
	readFileSync(resolve(report), "utf8"),
);
const DOCUMENT = new URL("../docs/performance.md", import.meta.url);
const PLOT = new URL("../docs/images/growth.svg", import.meta.url);
const TABLE = /(<!-- table -->\n)[\s\S]*(<!-- end of table -->)/;
const HOSTS = /(<!-- hosts -->\n)[\s\S]*(<!-- end of hosts -->)/;

const budgeted = rows.filter((row) => row.budget !== null && row.share !== null);
const table = [
	`Node ${node}, ${platform}.`,
	"",
	"| what | of its budget |",
	"|---|---|",
	...budgeted.map(({ what, share }) => `| ${what} | ${percent(share ?? 0)} |`),
	"",
].join("\n");
const hosts = hostLines(rows);
const written = readFileSync(DOCUMENT, "utf8").replace(TABLE, `$1${table}$2`);
writeFileSync(DOCUMENT, hosts.length > 0 ? written.replace(HOSTS, `$1${hostTable(hosts)}$2`) : written);
const grown = rows.filter(({ bench }) => bench === "growth");
if (grown.length > 0) writeFileSync(PLOT, plotAsSvg(curves(grown)));
console.log(`wrote ${budgeted.length} lines${grown.length > 0 ? " and the plot" : ""}`);

function percent(share: number): string {
	const value = share * 100;
	return `${value < 1 ? "< 1" : value.toFixed(0)} %`;
}

interface HostLine {
	sessions: string;
	version: string;
	time: string;
	memory: string;
}

/** Rows named `10,000 of 100 KB, pi 0.73.1: its listing ÷ ours, cold`, and the one of memory beside each. */
function hostLines(rows: readonly Row[]): HostLine[] {
	const figure = (what: string) => `${rows.find((row) => row.what === what)?.value?.toPrecision(2)}×`;
	return rows.flatMap(({ what }) => {
		const [, subject = "", sessions = "", version = ""] =
			/^((.+), pi ([\d.]+)): its listing ÷ ours, cold$/.exec(what) ?? [];
		if (subject === "") return [];
		return [
			{ sessions, version, time: figure(what), memory: figure(`${subject}: its peak memory ÷ ours, cold`) },
		];
	});
}

function hostTable(lines: readonly HostLine[]): string {
	return [
		"| sessions | pi | its time ÷ ours | its memory ÷ ours |",
		"|---|---|---|---|",
		...lines.map((it) => `| ${it.sessions} | ${it.version} | ${it.time} | ${it.memory} |`),
		"",
	].join("\n");
}

/** Rows named `entries 1000: what` as curves of one panel each: `entries`. */
function curves(rows: readonly Row[]): Curve[] {
	const found = new Map<string, Curve>();
	for (const { what, value } of rows) {
		const [, panel = "", size = "", name = ""] = /^(\w+) (\d+): (.+)$/.exec(what) ?? [];
		if (value === null) continue;
		const curve = found.get(`${panel} ${name}`) ?? { panel, name, points: [] };
		curve.points.push({ size: Number(size), value });
		found.set(`${panel} ${name}`, curve);
	}
	return [...found.values()];
}
