import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { liveFolder, placeHere, startTicks } from "../session-core/live/liveness.mjs";
import { useTemporaryFolder } from "../session-core/session-file/session.test-support.ts";
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
		...placeHere(),
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

test.each([
	[{ needs_you: 2, failed: 0, working: 3, idle: 1 }, "2 need you · 3 working"],
	[{ needs_you: 1, failed: 1, working: 0, idle: 0 }, "1 needs you · 1 failed"],
	[{ needs_you: 0, failed: 0, working: 0, idle: 4 }, ""],
])("%j is printed as %j", (counts, line) => {
	expect(statusLine(counts, "plain")).toBe(line);
});

test("tmux gets its own colors", () => {
	expect(statusLine({ needs_you: 1, failed: 0, working: 0, idle: 0 }, "tmux")).toBe(
		"#[fg=yellow]1 needs you#[default]",
	);
});

describe("the command", () => {
	test("prints a line, or the figures", () => {
		expect(run()).toBe("");
		place(lease({ state: "needs_you" }));
		place(lease({ state: "failed", startedAt: 5 }));
		place("torn {");
		expect(run()).toBe("1 needs you\n");
		expect(run("--format=tmux")).toContain("#[fg=yellow]");
		expect(JSON.parse(run("--format", "json"))).toEqual({ needs_you: 1, failed: 0, working: 0, idle: 0 });
	});

	test.each([["--format"], ["--format=x"], ["--all"], ["--format=json", "x"]])("refuses %s", (...args) => {
		expect(() => run(...args)).toThrow(/usage: pi-sessions status/);
	});
});
