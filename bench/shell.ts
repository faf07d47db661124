import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { liveFolder, placeHere, startTicks } from "../session-core/live/liveness.mjs";
import { median } from "./lib/figures.ts";
import { atMost, type BenchRow, figureOnly } from "./lib/row.ts";

const PROGRAM = fileURLToPath(new URL("../bin/pi-sessions.mjs", import.meta.url));
const RUNS = 15;
const LIVE = 20;

/** Measures the run time of the process that a prompt or status bar waits for, relative to a process that does nothing. */
export async function rows(): Promise<BenchRow[]> {
	const agentDir = mkdtempSync(join(tmpdir(), "pi-shell-"));
	try {
		placeLeases(agentDir);
		const env = { ...process.env, PI_CODING_AGENT_DIR: agentDir };
		const nothing: number[] = [];
		const status: number[] = [];
		// The empty process and `status` are measured alternately, so that other work on the machine affects both.
		for (let run = 0; run <= RUNS; run++) {
			nothing.push(timed(["-e", "0"], env));
			status.push(timed([PROGRAM, "status"], env));
		}
		// The first run of each command only fills the system's caches.
		const [base = Number.NaN, line = Number.NaN] = [nothing, status].map((times) => median(times.slice(1)));
		return [
			atMost(
				`Run time of pi-sessions status with ${LIVE} live sessions, relative to node -e 0`,
				line / base,
				2.5,
				"×",
			),
			figureOnly(`Run time of pi-sessions status with ${LIVE} live sessions`, line, "ms"),
		];
	} finally {
		rmSync(agentDir, { recursive: true, force: true });
	}
}

function placeLeases(agentDir: string): void {
	mkdirSync(liveFolder(agentDir), { recursive: true });
	const { pid } = process;
	for (let count = 0; count < LIVE; count++) {
		const instance = randomUUID();
		const own = { instance, pid, startedAt: startTicks(pid), ...placeHere() };
		const lease = {
			...own,
			sessionId: instance,
			state: count % 2 ? "working" : "needs_you",
			since: Date.now(),
		};
		writeFileSync(join(liveFolder(agentDir), `${instance}.json`), JSON.stringify(lease));
	}
}

function timed(args: string[], env: NodeJS.ProcessEnv): number {
	const started = performance.now();
	const { status } = spawnSync(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
	if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}`);
	return performance.now() - started;
}
