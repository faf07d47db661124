import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { liveLeases, readLease } from "../../session-core/live/lease.ts";
import { type Report, Worker } from "./crew.ts";

/** `PI_SUITE_STORM_ROUNDS=500 npx vitest run test/processes` takes about ten minutes. */
const ROUNDS = Number(process.env["PI_SUITE_STORM_ROUNDS"] ?? 12);
/** One in so many rounds has a kill in its midst. Each costs a process start. */
const KILL_EVERY = ROUNDS >= 500 ? 2 : 6;
const DEADLINE_MS = 20_000 + ROUNDS * 2_000;

function folder(): string {
	const agentDir = mkdtempSync(join(tmpdir(), "storm-"));
	onTestFinished(() => rmSync(agentDir, { recursive: true, force: true }));
	return agentDir;
}

/** So many workers, and a spare one for each that is killed. */
async function crew(size: number) {
	const workers = await Promise.all(Array.from({ length: size }, () => Worker.start()));
	let spare = Worker.start();
	onTestFinished(async () => {
		await Promise.all([...workers, await spare].map((worker) => worker.kill()));
	});
	return {
		workers,
		async replace(at: number): Promise<void> {
			workers[at] = await spare;
			spare = Worker.start();
		},
	};
}

/** Leases alone: the signal that somebody began or ceased to wait stands beside them, and stays. */
function leasesIn(live: string): string[] {
	return readdirSync(live).filter((name) => name.endsWith(".json"));
}

const STATES = ["working", "needs_you", "failed", "idle"] as const;

test.each([2, 3])(
	"leases: %i processes with two sessions each; none is lost, and none outlives its process",
	async (size) => {
		const agentDir = folder();
		const live = join(agentDir, "session-suite", "live");
		const { workers, replace } = await crew(size);
		const sessions = (at: number, generation: number) => [0, 1].map((nth) => `${at}-${generation}-${nth}`);
		const generations: number[] = Array(size).fill(0);
		for (let round = 0; round < ROUNDS; round++) {
			const state = STATES[round % STATES.length] ?? "idle";
			const reports: Promise<Report[]>[] = workers.map(async (worker, at) => {
				const all: Report[] = [];
				for (const session of sessions(at, generations[at] ?? 0))
					all.push(await worker.do({ type: "lease", agentDir, session, state }));
				return all;
			});
			const victim = round % KILL_EVERY === 0 ? (round / KILL_EVERY) % size : undefined;
			if (victim !== undefined) {
				await pause(Math.random() * 12);
				await workers[victim]?.kill();
			}
			const done = await Promise.all(reports);
			for (const [at, all] of done.entries()) {
				for (const report of all) expect([at, report.failures]).toEqual([at, []]);
			}
			const expected = workers.flatMap((_, at) =>
				at === victim ? [] : sessions(at, generations[at] ?? 0).map((session) => [session, state]),
			);
			const listed = liveLeases(agentDir, Date.now());
			expect(listed.map(({ sessionId, state: said }) => [sessionId, said]).sort()).toEqual(expected.sort());
			// Listing has swept: what is there is what is live.
			expect(leasesIn(live)).toHaveLength(expected.length);
			for (const name of leasesIn(live)) expect(readLease(join(live, name))).toBeDefined();
			if (victim !== undefined) {
				await replace(victim);
				generations[victim] = round + 1;
			}
		}
		await Promise.all(
			workers.map(async (worker, at) => {
				for (const session of sessions(at, generations[at] ?? 0))
					await worker.do({ type: "release", session });
			}),
		);
		expect(leasesIn(live)).toEqual([]);
	},
	DEADLINE_MS,
);
