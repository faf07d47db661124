import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createDebugLog, openLog } from "./debug-log.ts";

let agentDir: string;
let path: string;
beforeEach(() => {
	agentDir = mkdtempSync(join(tmpdir(), "debug-log-"));
	path = join(agentDir, "session-suite", "debug.log");
});
afterEach(() => rmSync(agentDir, { recursive: true, force: true }));

const now = () => Date.UTC(2026, 4, 17, 12);
const logOf = () => createDebugLog({ agentDir, now });

it("is off by default, and then leaves nothing on disk", async () => {
	(await openLog({ agentDir, enabled: false, env: {} }))("event", { a: 1 });
	expect(existsSync(join(agentDir, "session-suite"))).toBe(false);
});

it("is switched on by the environment variable set to 1, or by the setting", async () => {
	const opened = (value: string, enabled = false) =>
		openLog({ agentDir, enabled, env: { PI_SESSION_SUITE_DEBUG: value } });
	(await opened("0"))("event", {});
	expect(existsSync(path)).toBe(false);
	(await opened("1"))("event", {});
	expect(existsSync(path)).toBe(true);
	rmSync(path);
	(await opened("0", true))("event", {});
	expect(existsSync(path)).toBe(true);
});

it("writes one line an event, readable by the owner only", () => {
	const log = logOf();
	log("draft", { stamp: "a1b2", ms: 12, ok: true, reason: undefined });
	log("dropped", {});
	expect(readFileSync(path, "utf8")).toBe(
		`2026-05-17T12:00:00.000Z ${process.pid} draft stamp="a1b2" ms=12 ok=true\n2026-05-17T12:00:00.000Z ${process.pid} dropped\n`,
	);
	expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("cleans, redacts and shortens what it is given", () => {
	logOf()("failed", { reason: `a\n\x1b[31mb password=hunter2 ${"word ".repeat(200)}` });
	const [line = "", ...rest] = readFileSync(path, "utf8").split("\n");
	expect(rest).toEqual([""]);
	expect(line).toContain("a b password=[redacted] word");
	expect(line).not.toContain("\x1b");
	expect(line.length).toBeLessThan(200);
});

it("starts a new file at 1 MB and keeps the last one", () => {
	const log = logOf();
	log("first", {});
	writeFileSync(path, "x".repeat(1024 * 1024 + 1));
	log("second", {});
	expect(readFileSync(path, "utf8")).toMatch(/second\n$/);
	expect(statSync(`${path}.1`).size).toBe(1024 * 1024 + 1);
});

it("does not wait for the reader of a pipe in its place", () => {
	mkdirSync(join(agentDir, "session-suite"));
	execFileSync("mkfifo", [path]);
	logOf()("event", {});
	expect(statSync(path).isFIFO()).toBe(true);
});

it("is silent when it cannot write, and does not try again", () => {
	writeFileSync(join(agentDir, "session-suite"), "");
	const log = logOf();
	log("first", {});
	rmSync(join(agentDir, "session-suite"));
	log("second", {});
	expect(existsSync(path)).toBe(false);
});
