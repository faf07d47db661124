import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { useTemporaryFolder } from "../session-core/log/session.test-support.ts";
import { LeaseHolder, type LeaseState } from "../session-core/sessions/live/lease-files.ts";
import { liveFolder } from "../session-core/sessions/live/liveness.mjs";

const folder = useTemporaryFolder();
const BIN = fileURLToPath(new URL("pi-sessions.mjs", import.meta.url));
const run = (...args: string[]) =>
	execFileSync(process.execPath, [BIN, "status", ...args], {
		encoding: "utf8",
		env: { ...process.env, PI_CODING_AGENT_DIR: folder() },
	});

/** Takes the lease on a session, as a pi that has the session open does; returns the lease's file. */
function open(state: LeaseState): string {
	const holder = new LeaseHolder(folder(), { sessionId: state }, state, Date.now());
	holder.claim();
	return join(liveFolder(folder()), `${holder.instance}.json`);
}

test("prints one line or, as JSON, the counts", () => {
	expect(run()).toBe("");
	open("idle");
	expect(run()).toBe("");
	const ended = open("failed");
	// This lease's process has ended, and another process has received the same process id.
	writeFileSync(ended, readFileSync(ended, "utf8").replace(/"startedAt":\d+/, '"startedAt":5'));
	writeFileSync(join(liveFolder(folder()), `${randomUUID()}.json`), "torn {");
	open("waiting");
	expect(run()).toBe("1 waiting\n");
	for (const state of ["waiting", "failed", "finished", "working"] as const) open(state);
	expect(run()).toBe("2 waiting · 1 failed · 1 finished · 1 working\n");
	expect(run("--format=tmux")).toContain("#[fg=yellow]2 waiting#[default] · ");
	expect(JSON.parse(run("--format", "json"))).toEqual({
		waiting: 2,
		failed: 1,
		finished: 1,
		working: 1,
		idle: 1,
		doing: [],
	});
});

test.each([["--format"], ["--format=x"], ["--all"], ["--format=json", "x"]])("refuses %s", (...args) => {
	expect(() => run(...args)).toThrow(/usage: pi-sessions status/);
});
