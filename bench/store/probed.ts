import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { mainThread } from "../lib/processor-time.ts";

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
	/** The longest that the event loop was held, by the clock. */
	held: number;
	/** The same in the main thread's processor time. */
	heldCpu: number;
	/** Processor time of all threads while measuring. */
	cpu: number;
	/** Most memory that the process ever had. */
	peakMb: number;
}

const RUN = fileURLToPath(new URL("../../scripts/run.mjs", import.meta.url));
const PROBE = fileURLToPath(new URL("./probe.ts", import.meta.url));

/** Memory that any of these processes may take, in megabytes: a listing must end, however much it needs. */
export const ROOM = "--max-old-space-size=8192";

/** Runs one measurement of ours: `scan` is the listing, `search` the search for a query. */
export function probe(what: "scan" | "search", agentDir: string, query = ""): Probed {
	const args = [ROOM, RUN, PROBE, what, agentDir, query];
	const env = probeEnvironment(agentDir);
	return readProbed(execFileSync(process.execPath, args, { encoding: "utf8", env }));
}

export function probeEnvironment(agentDir: string): NodeJS.ProcessEnv {
	return { ...process.env, PI_CODING_AGENT_DIR: agentDir, PI_OFFLINE: "1" };
}

/** What such a process printed: its last line. Figures that it does not tell are 0. */
export function readProbed(output: string): Probed {
	const none = { count: 0, first: 0, complete: 0, settled: 0, held: 0, heldCpu: 0, cpu: 0, peakMb: 0 };
	return { ...none, ...JSON.parse(output.trim().split("\n").at(-1) ?? "{}") };
}

/** Watches how long the event loop is held between two of its turns; the returned function ends it. */
export function watchLoop(): () => Pick<Probed, "held" | "heldCpu"> {
	let held = 0;
	let heldCpu = 0;
	let time = performance.now();
	let cpu = mainThreadTime();
	let running = true;
	const turn = () => {
		const passed = performance.now() - time;
		held = Math.max(held, passed);
		// The scheduler counts in ticks of some milliseconds; what the clock says is never too little.
		heldCpu = Math.max(heldCpu, Math.min(passed, mainThreadTime() - cpu));
		time = performance.now();
		cpu = mainThreadTime();
		if (running) setImmediate(turn);
	};
	setImmediate(turn);
	return () => {
		running = false;
		return { held, heldCpu };
	};
}

/** Milliseconds that the main thread has run, so that what other processes take of a busy machine is not in it; elsewhere the clock. */
function mainThreadTime(): number {
	return mainThread("self")?.ran ?? performance.now();
}
