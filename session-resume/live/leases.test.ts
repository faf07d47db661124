import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { put, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { LeaseHolder } from "../../session-core/sessions/live/lease-files.ts";
import { otherWriter } from "./leases.ts";

const agentDir = useTemporaryFolder();

test("a session that is open elsewhere is found by any path of its file, and by its id", () => {
	const folder = join(agentDir(), "sessions");
	const file = put(join(folder, "one.jsonl"), "x\n");
	new LeaseHolder(agentDir(), { sessionId: "s-1", sessionFile: file }, "idle", Date.now()).claim();
	symlinkSync(folder, join(agentDir(), "link"));
	const find = (wanted: Parameters<typeof otherWriter>[1]) => otherWriter(agentDir(), wanted)?.sessionId;
	expect(find({ sessionFile: file })).toBe("s-1");
	expect(find({ sessionFile: join(folder, "..", "sessions", "one.jsonl") })).toBe("s-1");
	expect(find({ sessionFile: join(agentDir(), "link", "one.jsonl") })).toBe("s-1");
	expect(find({ sessionId: "s-1" })).toBe("s-1");
	expect(find({ sessionFile: join(folder, "two.jsonl") })).toBeUndefined();
	expect(find({})).toBeUndefined();
});
