import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { settingRows } from "./setting-rows.ts";

let root = "";
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "pi-suite-doctor-"));
	mkdirSync(join(root, "agent"));
	mkdirSync(join(root, "project", ".pi"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const rows = () => settingRows({ agentDir: join(root, "agent"), cwd: join(root, "project") });

test("without a file everything is the default", async () => {
	expect(await rows()).toEqual([
		["file", `${join(root, "agent", "session-suite.json")} (absent)`],
		["others", "defaults"],
	]);
});

test("each setting says where it comes from, and what is wrong is said", async () => {
	writeFileSync(
		join(root, "agent", "session-suite.json"),
		'{ "recap": { "idleSeconds": 300, "awaySeconds": "x" } }',
	);
	writeFileSync(join(root, "project", ".pi", "session-suite.json"), '{ "title": { "enabled": false } }');
	expect(await rows()).toEqual([
		["file", expect.stringContaining("(read)")],
		["recap.idleSeconds", "300 (the file)"],
		["title.enabled", "false (the project's .pi/session-suite.json)"],
		["others", "defaults"],
		["problem", expect.stringContaining("recap.awaySeconds")],
	]);
});
