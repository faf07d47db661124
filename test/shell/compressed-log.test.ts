import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CODEX_ID, CodexLog } from "../../session-core/log/logs.test-support.ts";
import { put } from "../../session-core/log/session.test-support.ts";
import { HOST_NODE, PROJECT_ROOT } from "../host/launch.ts";

/** Compresses the standard input; fails if the host's version of Node has no zstd. */
const COMPRESS = `const zlib = require("node:zlib"), fs = require("node:fs");
fs.mkdirSync(require("node:path").dirname(process.argv[1]), { recursive: true });
fs.writeFileSync(process.argv[1], zlib.zstdCompressSync(fs.readFileSync(0)));`;
const hasZstd = execFileSync(HOST_NODE, ["-p", "'zstdCompressSync' in require('node:zlib')"], {
	encoding: "utf8",
}).startsWith("true");

interface Compressed {
	folder: string;
	path: string;
	run: (...args: string[]) => string;
}

function compressed(write: (folder: string) => string): Compressed {
	const folder = mkdtempSync(join(tmpdir(), "compressed-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const path = join(folder, "codex/sessions/2026/03/02", `rollout-2026-03-02T10-00-00-${CODEX_ID}.jsonl.zst`);
	execFileSync(HOST_NODE, ["-e", COMPRESS, path], { input: write(folder) });
	const run = (...args: string[]): string =>
		execFileSync(HOST_NODE, [join(PROJECT_ROOT, "bin/pi-sessions.mjs"), ...args], {
			cwd: folder,
			encoding: "utf8",
			env: { PATH: process.env["PATH"], HOME: folder, CODEX_HOME: join(folder, "codex"), LANG: "C" },
		});
	return { folder, path, run };
}

test.skipIf(!hasZstd)("a compressed log of Codex is listed, shown and handed over like any other", () => {
	const { path, run } = compressed((cwd) =>
		String(new CodexLog({ cwd }).user("Make the zebra login work").says("It works. Shall I commit it?")),
	);
	expect(JSON.parse(run("list", "--agents", "--json"))).toMatchObject({
		sessions: [{ id: CODEX_ID, path, waits: true }],
	});
	expect(run("show", path)).toMatch(/Make the zebra login work[\s\S]*Shall I commit it\?/);
	expect(run("read", path)).toContain("Make the zebra login work");
	expect(run("resume", path, "--in-pi", "--dry-run")).toContain("pi");
});

test.skipIf(!hasZstd)("a log that continues a compressed log shows the work of both", () => {
	const older = new CodexLog().user("Add the retry queue to the server").says("Added.");
	const newer = new CodexLog({ history_base: older.base() }).user("Keep the old queue").says("Kept.");
	const { folder, run } = compressed(() => String(older));
	const name = `rollout-2026-03-03T10-00-00-${CODEX_ID}_0190c0de-0000-7000-8000-0000000000aa.jsonl`;
	const path = put(join(folder, "codex/sessions/2026/03/03", name), String(newer));
	expect(JSON.parse(run("list", "--all", "--agents", "--json"))).toMatchObject({
		sessions: [{ path, first_prompt: "Add the retry queue to the server" }],
	});
	expect(run("show", path)).toMatch(/Keep the old queue[\s\S]*Add the retry queue/);
});

test.skipIf(!hasZstd)("a small file that decompresses to a huge log is not read", () => {
	const { run } = compressed((cwd) =>
		String(new CodexLog({ cwd }).user("Make the zebra login work").says("zebra ".repeat(2_000_000))),
	);
	expect(() => run("list", "--agents", "--json")).toThrow("1 session file cannot be read");
});
