import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The result of a measurement in a separate process. Times are in milliseconds. */
export interface Probed {
	/** Sessions or hits. */
	count: number;
	/** Time to the first rows or hit. */
	first: number;
	/** Time to the last. */
	complete: number;
	/** Time until the listing is complete, including session names that are far from both ends of their files. */
	settled: number;
	/** The longest time that the event loop was blocked, in processor time of the main thread. */
	held: number;
	/** Peak memory of the process. */
	peakMb: number;
	/** Increase in peak memory during the search, in megabytes. */
	grownMb: number;
}

const RUN = fileURLToPath(new URL("../../scripts/run.mjs", import.meta.url));
const PROGRAM = fileURLToPath(new URL("./probe-process.ts", import.meta.url));

/** The heap limit is high because the host's listing needs several gigabytes. */
const ROOM = "--max-old-space-size=8192";

/** Runs one measurement: `scan` is our listing, `search` our search for a query, and `host` the host's own listing. */
export function probe(what: "scan" | "search" | "host", agentDir: string, query = ""): Probed {
	const env = { ...process.env, PI_CODING_AGENT_DIR: agentDir, PI_OFFLINE: "1" };
	const args = [ROOM, RUN, PROGRAM, what, agentDir, query];
	const output = execFileSync(process.execPath, args, { encoding: "utf8", env });
	const none = { count: 0, first: 0, complete: 0, settled: 0, held: 0, peakMb: 0, grownMb: 0 };
	return { ...none, ...JSON.parse(output.trim().split("\n").at(-1) ?? "{}") };
}
