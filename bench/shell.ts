import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { LeaseHolder } from "../session-core/sessions/live/lease-files.ts";
import { alternately, type BenchRow, median } from "./lib/harness.ts";
import { onTree } from "./lib/sessions.ts";

const PROGRAM = fileURLToPath(new URL("../bin/pi-sessions.mjs", import.meta.url));
const RUNS = 15;
const LIVE = 20;

export function rows(): Promise<BenchRow[]> {
	return onTree({ sessions: 0, bytes: 0, projects: [] }, async (agentDir) => {
		for (let count = 0; count < LIVE; count++) {
			const state = count % 2 ? "working" : "waiting";
			new LeaseHolder(agentDir, { sessionId: randomUUID() }, state, Date.now()).claim();
		}
		const env = { ...process.env, PI_CODING_AGENT_DIR: agentDir };
		const run = (...args: string[]) =>
			spawnSync(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
		const [base, own] = await alternately(
			RUNS,
			() => run("-e", "0"),
			() => run(PROGRAM, "status"),
		);
		const what = `Run time of pi-sessions status with ${LIVE} live sessions, relative to node -e 0`;
		return [{ what, value: median(own) / median(base), unit: "×", most: 2.5 }];
	});
}
