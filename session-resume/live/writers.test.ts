import { symlinkSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { put, useTemporaryFolder } from "../../session-core/store/store.test-support.ts";
import { otherWriter } from "./writers.ts";

const agentDir = useTemporaryFolder();

/** The machine's first process always lives. */
function lease(sessionFile: string): void {
	const value = { pid: 1, sessionId: "s-1", sessionFile, state: "idle", since: Date.now(), host: hostname() };
	put(join(agentDir(), "session-suite", "live", "1.json"), JSON.stringify(value));
}

test("another process's session is found by its file, however that is spelt, and by its id", () => {
	const folder = join(agentDir(), "sessions");
	const file = put(join(folder, "one.jsonl"), "x\n");
	lease(file);
	symlinkSync(folder, join(agentDir(), "link"));
	const find = (wanted: Parameters<typeof otherWriter>[1]) =>
		otherWriter(agentDir(), wanted, Date.now())?.pid;
	expect(find({ sessionFile: file })).toBe(1);
	expect(find({ sessionFile: join(folder, "..", "sessions", "one.jsonl") })).toBe(1);
	expect(find({ sessionFile: join(agentDir(), "link", "one.jsonl") })).toBe(1);
	expect(find({ sessionId: "s-1" })).toBe(1);
	expect(find({ sessionFile: join(folder, "two.jsonl") })).toBeUndefined();
	expect(find({})).toBeUndefined();
});
