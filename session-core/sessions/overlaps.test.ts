import { mkdirSync, realpathSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ClaudeLog } from "../log/logs.test-support.ts";
import { put, useTemporaryFolder } from "../log/session.test-support.ts";
import { LeaseHolder, liveLeases } from "./live/index.ts";
import { overlapsOf } from "./overlaps.ts";

const folder = useTemporaryFolder();

test("another agent's session that has just changed a file overlaps if the agent is included and its log is recent", async () => {
	const agentDir = join(folder(), "agent");
	const cwd = join(folder(), "project");
	mkdirSync(join(cwd, "src"), { recursive: true });
	symlinkSync(join(cwd, "src"), join(cwd, "lib"));
	const file = put(join(cwd, "src/auth.ts"), "1\n");
	const change = { old_string: "1", new_string: "2" };
	const changes = (id: string, path: string, name: string) =>
		new ClaudeLog({ id, cwd })
			.user("Fix it")
			.ran("Edit", { file_path: path, ...change }, "The file has been updated.")
			.ran("Edit", { file_path: join(cwd, "src/other.ts"), ...change }, "String to replace not found", {
				is_error: true,
			})
			.says(name);
	const env = { CLAUDE_CONFIG_DIR: join(folder(), "claude") };
	const logOf = (id: string) => join(env.CLAUDE_CONFIG_DIR, "projects/-code", `${id}.jsonl`);
	const [young = "", old = ""] = ["1", "2"].map((end) => `0c1a0de0-aaaa-4bbb-8ccc-00000000000${end}`);
	put(logOf(young), String(changes(young, join(cwd, "lib/auth.ts"), "Done.")));
	put(logOf(old), String(changes(old, file, "Done.")));
	utimesSync(logOf(old), 1, Date.now() / 1_000 - 11 * 60);
	const own = new LeaseHolder(agentDir, { sessionId: "s-1" }, "idle", Date.now());
	own.report({ changed: [{ path: realpathSync(file), at: Date.now() }] });
	const found = async () => {
		const now = Date.now();
		const look = async () => ({ isClean: false, committedAt: 0 });
		return overlapsOf(liveLeases(agentDir, now), { agentDir, now, env }, look);
	};
	expect(await found()).toEqual(new Map());
	put(join(agentDir, "session-suite.json"), '{ "agents": ["claude-code"] }');
	const at = Date.parse("2026-03-02T10:00:03Z");
	const overlap = { path: realpathSync(file), session: young, sessionFile: logOf(young), at };
	expect((await found()).get(own.instance)).toEqual([overlap]);
	own.release();
});
