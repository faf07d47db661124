import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What a measurement in a process of its own gives. Times in milliseconds. */
export interface Probed {
	/** Sessions or hits. */
	count: number;
	/** Until the first rows or hit. */
	first: number;
	/** Until all. */
	complete: number;
	/** Until the names deep in files were found, too. */
	settled: number;
	/** The longest that the event loop was held, in the main thread's processor time. */
	held: number;
	/** Processor time of all threads while measuring. */
	cpu: number;
	/** Most memory that the process ever had. */
	peakMb: number;
}

const RUN = fileURLToPath(new URL("../../scripts/run.mjs", import.meta.url));
const PROGRAM = fileURLToPath(new URL("./probe-process.ts", import.meta.url));

/** Memory that such a process may take: a listing must end, however much it needs. */
const ROOM = "--max-old-space-size=8192";

/** `scan` is our listing, `search` our search for a query, `host` the host's own listing. */
export function probe(what: "scan" | "search" | "host", agentDir: string, query = ""): Probed {
	const env = { ...process.env, PI_CODING_AGENT_DIR: agentDir, PI_OFFLINE: "1" };
	const args = [ROOM, RUN, PROGRAM, what, agentDir, query];
	const output = execFileSync(process.execPath, args, { encoding: "utf8", env });
	const none = { count: 0, first: 0, complete: 0, settled: 0, held: 0, cpu: 0, peakMb: 0 };
	return { ...none, ...JSON.parse(output.trim().split("\n").at(-1) ?? "{}") };
}
