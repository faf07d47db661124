import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { useTemporaryFolder } from "../log/session.test-support.ts";
import { errorFields, openLog } from "./debug-log.ts";

const folder = useTemporaryFolder();
let agentDir: string;
let path: string;
beforeEach(() => {
	agentDir = folder();
	path = join(agentDir, "session-suite", "debug.log");
});

const logOf = () => openLog({ agentDir, enabled: true });

it("is switched on by the setting, or by the environment variable if it is 1", () => {
	const opened = (value: string, enabled = false) =>
		openLog({ agentDir, enabled, env: { PI_SESSION_SUITE_DEBUG: value } });
	opened("0")("event", {});
	expect(existsSync(join(agentDir, "session-suite"))).toBe(false);
	opened("1")("event", {});
	expect(existsSync(path)).toBe(true);
	rmSync(path);
	opened("0", true)("event", {});
	expect(existsSync(path)).toBe(true);
});

it("writes one line per event to a file that only the owner can read", () => {
	const log = logOf();
	log("draft", { stamp: "a1b2", ms: 12, ok: true, reason: undefined });
	log("dropped", {});
	const lines = readFileSync(path, "utf8").replace(/^\S+Z (\d+) /gm, "");
	expect(lines).toBe('draft stamp="a1b2" ms=12 ok=true\ndropped\n');
	expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("includes the session in every line, and the name, code and location of a failure", () => {
	const log = openLog({ agentDir, enabled: true, session: () => "s-1" });
	log("read.failed", errorFields(Object.assign(new TypeError("of a session"), { code: "EACCES" })));
	log("draft", { session: "s-2" });
	const lines = readFileSync(path, "utf8").replace(/^\S+Z \d+ /gm, "");
	expect(lines).toMatch(
		/^read\.failed error="TypeError" code="EACCES" at="debug-log\.test\.ts:\d+" session="s-1"\ndraft session="s-2"\n$/,
	);
});

it("cleans, redacts and shortens its values", () => {
	logOf()("failed", { reason: `a\n\x1b[31mb password=hunter2 ${"word ".repeat(200)}` });
	const [line = "", ...rest] = readFileSync(path, "utf8").split("\n");
	expect(rest).toEqual([""]);
	expect(line).toContain("a b password=[redacted] word");
	expect(line).not.toContain("\x1b");
	expect(line.length).toBeLessThan(200);
});

it("starts a new file at 1 MB and keeps the previous one", () => {
	const log = logOf();
	log("first", {});
	writeFileSync(path, "x".repeat(1024 * 1024 + 1));
	log("second", {});
	expect(readFileSync(path, "utf8")).toMatch(/second\n$/);
	expect(statSync(`${path}.1`).size).toBe(1024 * 1024 + 1);
});
