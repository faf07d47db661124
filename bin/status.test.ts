import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { useTemporaryFolder } from "../session-core/log/session.test-support.ts";
import { LeaseHolder } from "../session-core/sessions/live/lease-files.ts";
import type { LeaseState } from "../session-core/sessions/live/liveness.mjs";
import { liveFolder } from "../session-core/sessions/live/liveness.mjs";
import { status } from "./status.mjs";

const folder = useTemporaryFolder();
const env = () => ({ PI_CODING_AGENT_DIR: folder() });

function run(...args: string[]) {
	const text = { out: "", err: "" };
	const sink = (name: "out" | "err") => ({ write: (part: string) => (text[name] += part) });
	const code = status(args, { env: env(), stdout: sink("out"), stderr: sink("err") });
	return { code, ...text };
}

function open(state: LeaseState): string {
	const holder = new LeaseHolder(folder(), { sessionId: state }, state, Date.now());
	holder.claim();
	return join(liveFolder(folder()), `${holder.instance}.json`);
}

test("prints one line or, as JSON, the counts", () => {
	open("idle");
	expect(run()).toEqual({ code: 0, out: "", err: "" });
	const ended = open("failed");
	// This lease's process has ended, and another process has received the same process id.
	writeFileSync(ended, readFileSync(ended, "utf8").replace(/"startedAt":\d+/, '"startedAt":5'));
	writeFileSync(join(liveFolder(folder()), `${randomUUID()}.json`), "torn {");
	open("waiting");
	expect(run().out).toBe("1 waiting\n");
	for (const state of ["waiting", "failed", "finished", "working"] as const) open(state);
	expect(run().out).toBe("2 waiting · 1 failed · 1 finished · 1 working\n");
	expect(run("--format=tmux").out).toContain("#[fg=yellow]2 waiting#[default] · ");
	const bin = fileURLToPath(new URL("pi-sessions.mjs", import.meta.url));
	const args = [bin, "status", "--format", "json"];
	const json = execFileSync(process.execPath, args, { encoding: "utf8", env: { ...process.env, ...env() } });
	const counts = { waiting: 2, failed: 1, finished: 1, working: 1, idle: 1 };
	expect(JSON.parse(json)).toEqual({ ...counts, doing: [] });
});

test.each([["--format"], ["--format=x"], ["--all"], ["--format=json", "x"]])("refuses %s", (...args) => {
	expect(run(...args)).toMatchObject({ code: 2, err: expect.stringContaining("usage: pi-sessions status") });
});
