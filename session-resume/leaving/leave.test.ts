import { appendFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { put, SessionText, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { permits } from "../live/leases.ts";
import { type Leaver, leaveFor } from "./leave.ts";

const folder = useTemporaryFolder();

function placed(
	text = new SessionText({ id: "original" }).user("Fix it").assistant("Done").name("Dates").toString(),
): string {
	return put(join(folder(), "sessions", "one.jsonl"), text);
}

/** Tries to open a session in a host that calls `before` and then refuses the switch. */
async function leaveInVain(
	leaving: Parameters<typeof leaveFor>[0],
	before: (path: string) => void = () => undefined,
) {
	const leaver: Leaver = {
		switchSession: async (path) => {
			before(path);
			return { cancelled: true };
		},
		cwd: folder(),
		sessionManager: { getSessionDir: () => join(folder(), "here") },
		isIdle: () => true,
		abort: () => expect.fail("no run is active"),
		waitForIdle: async () => undefined,
	};
	return leaveFor(leaving, leaver, (why) => expect.fail(why));
}

const fork = (path: string) => ({ act: "fork", path, cwd: folder() }) as const;

describe("if the host does not switch sessions", () => {
	test("a user who has confirmed is not asked again", async () => {
		const asked: boolean[] = [];
		const open = { act: "open", path: `${folder()}/one.jsonl`, cwd: "" } as const;
		expect(await leaveInVain(open, (to) => asked.push(!permits.has(to)))).toBeUndefined();
		expect(asked).toEqual([false]);
	});

	test("a copy that is not opened is removed", async () => {
		const path = placed();
		await leaveInVain(fork(path));
		expect(readdirSync(dirname(path))).toEqual(["one.jsonl"]);
	});

	test("a copy that another pi process has continued in the meantime is kept", async () => {
		const path = placed();
		const line = `${JSON.stringify({ type: "session_info", name: "Continued" })}\n`;
		await leaveInVain(fork(path), (copy) => appendFileSync(copy, line));
		expect(readdirSync(dirname(path))).toHaveLength(2);
	});
});
