// Performs one measurement and prints the result as a line of JSON. Runs in a separate process so that the memory use of the measurement
// can be determined.
import { scanSessions } from "../../session-core/catalog/listing.ts";
import type { SessionSummary } from "../../session-core/catalog/summary.ts";
import { searchSessions } from "../../session-core/search/search.ts";
import { mainThread } from "./figures.ts";
import type { Probed } from "./probe.ts";

const [what = "", agentDir = "", query = ""] = process.argv.slice(2);

const measurements: Record<string, () => Promise<Partial<Probed>>> = { scan, search, host };
const measure = measurements[what];
if (!measure) throw new Error(`no such measurement: ${what}`);
const stop = watchLoop();
const result = await measure();
const peakMb = process.resourceUsage().maxRSS / 1_024;
console.log(JSON.stringify({ ...result, held: stop(), peakMb }));

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
	const before = process.resourceUsage().maxRSS;
	const started = performance.now();
	let first = 0;
	let count = 0;
	for await (const { hits, total } of searchSessions({ query, rows })) {
		if (hits.length > 0) first ||= performance.now() - started;
		count = total;
	}
	const complete = performance.now() - started;
	return { count, first, complete, grownMb: (process.resourceUsage().maxRSS - before) / 1_024 };
}

async function host(): Promise<Partial<Probed>> {
	const { SessionManager } = await import("@mariozechner/pi-coding-agent");
	const started = performance.now();
	const { length: count } = await SessionManager.listAll();
	return { count, complete: performance.now() - started };
}

/** Measures how long the event loop is blocked. The returned function stops the measurement and returns the longest blocked time. */
function watchLoop(): () => number {
	// Processor time is measured instead of elapsed time, because other processes may delay this one.
	const busy = () => mainThread("self")?.ran ?? performance.now();
	let held = 0;
	let time = performance.now();
	let cpu = busy();
	let running = true;
	const turn = () => {
		// The scheduler counts in ticks of a few milliseconds, so the measured processor time can exceed the elapsed time and is therefore
		// capped at the elapsed time.
		held = Math.max(held, Math.min(performance.now() - time, busy() - cpu));
		time = performance.now();
		cpu = busy();
		if (running) setImmediate(turn);
	};
	setImmediate(turn);
	return () => {
		running = false;
		return held;
	};
}
