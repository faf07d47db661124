import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type LeaseState, liveFolder } from "../session-core/store/lease.ts";
import { liveLeases } from "../session-core/store/live.ts";
import { placeOf } from "../session-core/store/machine.ts";
import { startTicks } from "../session-core/store/process.ts";
import { useTemporaryFolder } from "../session-core/store/store.test-support.ts";
import { countStates } from "./leases.mjs";
import { statusLine } from "./status.mjs";

const folder = useTemporaryFolder();
const BIN = fileURLToPath(new URL("pi-sessions.mjs", import.meta.url));
const run = (...args: string[]) =>
	execFileSync(process.execPath, [BIN, "status", ...args], {
		encoding: "utf8",
		env: { ...process.env, PI_CODING_AGENT_DIR: folder() },
	});

function lease(more: object = {}): object {
	return {
		instance: randomUUID(),
		pid: process.pid,
		startedAt: startTicks(process.pid),
		...placeOf(folder()),
		host: "here",
		sessionId: "s",
		state: "working",
		since: 1,
		...more,
	};
}

function place(content: unknown, name = `${randomUUID()}.json`): void {
	mkdirSync(liveFolder(folder()), { recursive: true });
	writeFileSync(
		join(liveFolder(folder()), name),
		typeof content === "string" ? content : JSON.stringify(content),
	);
}

function countedByCore(now = Date.now()): Record<LeaseState, number> {
	const counts = { needs_you: 0, failed: 0, working: 0, idle: 0 };
	for (const { state } of liveLeases(folder(), now)) counts[state]++;
	return counts;
}

describe("the states that are counted", () => {
	test("are those that the core lists, whatever stands in the folder", async () => {
		const child = spawn(process.execPath, ["-e", "0"]);
		await new Promise((resolve) => child.once("exit", resolve));
		const odd = [
			lease(),
			lease({ state: "needs_you" }),
			lease({ state: "asleep" }),
			lease({ startedAt: 5 }),
			lease({ startedAt: undefined, state: "failed" }),
			lease({ pid: child.pid, startedAt: 7 }),
			lease({ pid: 0 }),
			lease({ pid: 1.5 }),
			lease({ machine: "another", state: "idle" }),
			lease({ boot: "1", state: "idle" }),
			lease({ pidSpace: "pid:[1]", state: "failed" }),
			lease({ host: 5 }),
			lease({ sessionFile: 5 }),
			lease({ since: "x" }),
			lease({ terminal: { tty: 5 } }),
			"torn {",
			[],
			null,
		];
		fc.assert(
			fc.property(fc.integer({ min: -1, max: 400_000 }), (later) => {
				for (const one of odd) place(one);
				place(lease(), "other.json");
				const now = Date.now() + later;
				// First: the core sweeps what is dead.
				const counted = countStates(folder(), now);
				expect(counted).toEqual(countedByCore(now));
			}),
			{ numRuns: 20 },
		);
	});

	test("are none where nothing was ever open, and what is damaged is left", () => {
		expect(countStates(join(folder(), "none"))).toEqual({ needs_you: 0, failed: 0, working: 0, idle: 0 });
	});
});

test.each([
	[{ needs_you: 2, failed: 0, working: 3, idle: 1 }, "2 need you · 3 working"],
	[{ needs_you: 1, failed: 1, working: 0, idle: 0 }, "1 needs you · 1 failed"],
	[{ needs_you: 0, failed: 0, working: 0, idle: 4 }, ""],
])("%j is told as %j", (counts, line) => {
	expect(statusLine(counts, "plain")).toBe(line);
});

test("tmux gets its own colours", () => {
	expect(statusLine({ needs_you: 1, failed: 0, working: 0, idle: 0 }, "tmux")).toBe(
		"#[fg=yellow]1 needs you#[default]",
	);
});

describe("the command", () => {
	test("prints a line, or the figures", () => {
		expect(run()).toBe("\n");
		place(lease({ state: "needs_you" }));
		expect(run()).toBe("1 needs you\n");
		expect(run("--format=tmux")).toContain("#[fg=yellow]");
		expect(JSON.parse(run("--format", "json"))).toEqual({ needs_you: 1, failed: 0, working: 0, idle: 0 });
	});

	test.each([["--format"], ["--format=x"], ["--all"], ["--format=json", "x"]])("refuses %s", (...args) => {
		expect(() => run(...args)).toThrow(/usage: pi-sessions status/);
	});
});
