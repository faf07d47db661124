import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { finish, mendName } from "../../session-core/naming/write.ts";
import { session } from "../host/fixtures.ts";
import { openProcess } from "./manager-ports.ts";
import { RaceProcess } from "./race-process.ts";
import type { Job } from "./race-worker.ts";

const folder = mkdtempSync(join(tmpdir(), "race-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fixture = session().user("fix the login redirect loop").assistant("Fixed it.").build();
let serial = 0;

function newSession(): string {
	serial += 1;
	const path = join(folder, `${serial}.jsonl`);
	writeFileSync(path, fixture);
	return path;
}

const now = () => performance.timeOrigin + performance.now();
/** Time that a process needs to read a job and open the session. */
const LEAD_MS = 6;

/** Both jobs of a round: the same session, about the same moment. */
function jobs(path: string, kind: Job["kind"], within: { jitterMs: number; pauseMs: number }): [Job, Job] {
	const at = now() + LEAD_MS;
	const jitter = () => (Math.random() - 0.5) * within.jitterMs;
	const { pauseMs } = within;
	return [
		{ path, at: at + jitter(), kind: "auto", title: "Fix login redirect loop", pauseMs },
		{ path, at: at + jitter(), kind, title: `my name ${serial}`, pauseMs },
	];
}

/** What the host sees that opens the session next. Throws on a line that is not whole. */
function reopened(path: string): { name: string | undefined; names: string[]; entries: number } {
	const lines = readFileSync(path, "utf8")
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));
	const names = lines.flatMap(({ type, name }) => (type === "session_info" ? [name] : []));
	const { manager } = openProcess(path);
	expect(manager.getEntries()).toHaveLength(lines.length - 1);
	return { name: manager.getSessionName(), names, entries: lines.length };
}

test("two processes, 240 rounds: the person's name stands, whatever the order of their writes", async () => {
	const [auto, person] = await Promise.all([RaceProcess.start(), RaceProcess.start()]);
	const orders = new Map<string, number>();
	for (let round = 0; round < 240; round++) {
		const path = newSession();
		const within = { jitterMs: round % 2 === 0 ? 0.4 : 3, pauseMs: round % 3 === 0 ? 0.3 : 0 };
		const [title, name] = jobs(path, round % 4 < 2 ? "name" : "rename", within);
		auto.give(title);
		person.give(name);
		await Promise.all([auto.finished(), person.finished()]);
		const seen = reopened(path);
		expect(seen.name).toBe(name.title);
		const order = seen.names.map((one) => (one === name.title ? "person" : "auto")).join(" ");
		orders.set(order, (orders.get(order) ?? 0) + 1);
	}
	// Both refusals and real meetings must have come about, or nothing was shown.
	expect([...orders.keys()]).toEqual(expect.arrayContaining(["person", "auto person"]));
	expect(orders.size, JSON.stringify([...orders])).toBeGreaterThan(2);
});

test("a process killed at random moments loses no person's name, and leaves a file that loads", async () => {
	const person = await RaceProcess.start();
	let next = RaceProcess.start();
	let named = 0;
	for (let kill = 0; kill < 5; kill++) {
		const auto = await next;
		if (kill < 4) next = RaceProcess.start();
		const rounds = Array.from({ length: 20 }, (_, index) => {
			const pair = jobs(newSession(), index % 2 === 0 ? "name" : "rename", { jitterMs: 2, pauseMs: 0.5 });
			for (const job of pair) job.at += index * 8;
			return pair;
		});
		for (const [title, name] of rounds) {
			auto.give(title);
			person.give(name);
		}
		await pause(LEAD_MS + Math.random() * 20 * 8);
		await auto.kill();
		for (const [, name] of rounds) {
			expect(await person.finished()).toBe(true);
			reopened(name.path);
			// Whoever opens the session next with the extension puts right what the killed one left behind.
			finish(mendName(openProcess(name.path).ports));
			expect(reopened(name.path).name).toBe(name.title);
			named++;
		}
	}
	expect(named).toBe(100);
});
