import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { LeaseHolder } from "../session-core/live/lease-files.ts";
import { liveFolder } from "../session-core/live/liveness.mjs";
import { useTemporaryFolder } from "../session-core/session-file/session.test-support.ts";
import { statusLine } from "./status.mjs";

const folder = useTemporaryFolder();
const BIN = fileURLToPath(new URL("pi-sessions.mjs", import.meta.url));
const run = (...args: string[]) =>
	execFileSync(process.execPath, [BIN, "status", ...args], {
		encoding: "utf8",
		env: { ...process.env, PI_CODING_AGENT_DIR: folder() },
	});

/** Holds the lease of a session, as a pi that has it open does. */
function open(state: "needs_you" | "failed"): string {
	new LeaseHolder(folder(), { sessionId: state }, state, Date.now()).claim();
	const [newest = ""] = readdirSync(liveFolder(folder())).map((name) => join(liveFolder(folder()), name));
	return newest;
}

test.each([
	[{ needs_you: 2, failed: 0, working: 3, idle: 1 }, "2 need you · 3 working"],
	[{ needs_you: 1, failed: 1, working: 0, idle: 0 }, "1 needs you · 1 failed"],
	[{ needs_you: 0, failed: 0, working: 0, idle: 4 }, ""],
])("%j is printed as %j", (counts, line) => {
	expect(statusLine(counts, "plain")).toBe(line);
});

describe("the command", () => {
	test("prints a line, or the figures", () => {
		expect(run()).toBe("");
		const ended = open("failed");
		// A later process has the same id.
		writeFileSync(ended, readFileSync(ended, "utf8").replace(/"startedAt":\d+/, '"startedAt":5'));
		open("needs_you");
		writeFileSync(join(liveFolder(folder()), `${randomUUID()}.json`), "torn {");
		expect(run()).toBe("1 needs you\n");
		expect(run("--format=tmux")).toContain("#[fg=yellow]");
		expect(JSON.parse(run("--format", "json"))).toEqual({ needs_you: 1, failed: 0, working: 0, idle: 0 });
	});

	test.each([["--format"], ["--format=x"], ["--all"], ["--format=json", "x"]])("refuses %s", (...args) => {
		expect(() => run(...args)).toThrow(/usage: pi-sessions status/);
	});
});
