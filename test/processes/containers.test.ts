import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { liveLeases } from "../../session-core/live/lease.ts";
import { HEARTBEAT_MS } from "../../session-core/live/liveness.mjs";
import { Worker } from "./crew.ts";

/** Runs a program as a container does: the first process of its own namespace. */
const CONTAINER = ["unshare", "--pid", "--fork", "--kill-child=KILL", "--mount-proc"];

function canContain(): boolean {
	try {
		execFileSync("unshare", [...CONTAINER.slice(1), "true"], { stdio: "ignore" });
		return true;
	} catch {
		// Not Linux, or not allowed here.
		return false;
	}
}

async function containers(): Promise<{ agentDir: string; workers: [Worker, Worker] }> {
	const agentDir = mkdtempSync(join(tmpdir(), "containers-"));
	const workers = await Promise.all([Worker.start(CONTAINER), Worker.start(CONTAINER)]);
	onTestFinished(async () => {
		await Promise.all(workers.map((worker) => worker.kill()));
		rmSync(agentDir, { recursive: true, force: true });
	});
	return { agentDir, workers };
}

describe.runIf(canContain())("two containers that share the agent folder, with the same process ids", () => {
	test("see each other's sessions, and end their own alone", async () => {
		const { agentDir, workers } = await containers();
		const [one, two] = workers;
		for (const [at, worker] of workers.entries()) {
			const report = await worker.do({ type: "lease", agentDir, session: `s-${at}`, state: "idle" });
			expect(report.failures).toEqual([]);
		}
		const listed = (later = 0) =>
			liveLeases(agentDir, Date.now() + later)
				.map(({ sessionId, pid }) => [sessionId, pid])
				.sort();
		expect(listed()).toEqual([
			["s-0", 1],
			["s-1", 1],
		]);
		await one.do({ type: "release", session: "s-0" });
		expect(listed()).toEqual([["s-1", 1]]);
		await two.kill();
		// Nobody outside can tell that it was killed, until its signs of life stop.
		expect(listed()).toHaveLength(1);
		expect(listed(10 * HEARTBEAT_MS)).toEqual([]);
	});
});
