import { join } from "node:path";
import { expect, test } from "vitest";
import { readLogSlowly, readPlainLog } from "./log-file.ts";
import { put, useTemporaryFolder } from "./session.test-support.ts";

const folder = useTemporaryFolder();

test("an error of the suite on one session makes only that session unreadable, and the session is not quoted", async () => {
	const path = put(join(folder(), "one.jsonl"), "{}\n");
	const fail = (): { ok: true } => {
		throw new RangeError("the prompt of the user");
	};
	for (const read of [readPlainLog(path, fail), await readLogSlowly(path, async () => fail())]) {
		expect(read).toMatchObject({
			ok: false,
			reason: "failed",
			detail: expect.stringContaining("RangeError in"),
		});
		expect(read).not.toMatchObject({ detail: expect.stringContaining("prompt") });
	}
});
