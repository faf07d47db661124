// One measurement in a process of its own, so that its memory can be told: prints a line of JSON.
import { scanSessions } from "../../session-core/store/scan.ts";
import { searchSessions } from "../../session-core/store/search.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";
import { type Probed, watchLoop } from "./probed.ts";

const [what = "", agentDir = "", query = ""] = process.argv.slice(2);

const measurements: Record<string, () => Promise<Partial<Probed>>> = { scan, search };
const measure = measurements[what];
if (!measure) throw new Error(`no such measurement: ${what}`);
const stop = watchLoop();
const result = await measure();
const { user, system } = process.cpuUsage();
console.log(
	JSON.stringify({
		...result,
		...stop(),
		cpu: (user + system) / 1_000,
		peakMb: process.resourceUsage().maxRSS / 1_024,
	}),
);

async function scan(): Promise<Partial<Probed>> {
	const started = performance.now();
	const passed = () => performance.now() - started;
	const rows = new Map<string, SessionSummary>();
	let first = 0;
	let complete = 0;
	for await (const batch of scanSessions({ agentDir })) {
		first ||= passed();
		if (batch.stage === "done") break;
		for (const row of batch.rows) rows.set(row.path, row);
		if (batch.stage !== "named") complete = passed();
	}
	return { count: rows.size, first, complete, settled: passed() };
}

async function search(): Promise<Partial<Probed>> {
	const rows: SessionSummary[] = [];
	for await (const batch of scanSessions({ agentDir })) if ("rows" in batch) rows.push(...batch.rows);
	rows.sort((one, other) => other.changed - one.changed);
	const started = performance.now();
	let first = 0;
	let count = 0;
	for await (const batch of searchSessions({ query, rows })) {
		if (!("hit" in batch)) continue;
		first ||= performance.now() - started;
		count++;
	}
	return { count, first, complete: performance.now() - started };
}
