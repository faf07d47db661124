import { appendFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import {
	put,
	SessionText,
	useTemporaryFolder,
} from "../../session-core/session-file/session.test-support.ts";
import { permits } from "../live/leases.ts";
import { type Leaver, leaveFor } from "./leave.ts";

const folder = useTemporaryFolder();

function placed(
	text = new SessionText({ id: "original" }).user("Fix it").assistant("Done").name("Dates").toString(),
): string {
	return put(join(folder(), "sessions", "one.jsonl"), text);
}

describe("leaving a session", () => {
	const host = ({ cancelled = false, isIdle = true } = {}) => {
		const log: string[] = [];
		const switchSession: Leaver["switchSession"] = async (path, options) => {
			log.push(`${permits.has(path) ? "permitted" : "open"} ${path.replace(folder(), "")}`);
			// Only the id and the means to speak are used of the new session's context.
			const next = { sessionManager: { getSessionId: () => "next" }, ui: { notify: () => undefined } };
			if (!cancelled) await options?.withSession?.(next as unknown as Next);
			return { cancelled };
		};
		let idle = isIdle;
		const run = {
			isIdle: () => idle,
			abort: () => void log.push("abort"),
			waitForIdle: async () => {
				idle = true;
			},
		};
		const sessionManager = { getSessionDir: () => join(folder(), "here") };
		return { log, leaver: { switchSession, sessionManager, ...run } };
	};
	type Next = Parameters<NonNullable<NonNullable<Parameters<Leaver["switchSession"]>[1]>["withSession"]>>[0];
	const perform = (leaving: Parameters<typeof leaveFor>[0], { leaver }: ReturnType<typeof host>) =>
		leaveFor(leaving, leaver, (why) => expect.fail(why));

	test("a user who has confirmed is not asked again", async () => {
		const it = host({ cancelled: true });
		const left = await perform({ act: "open", path: `${folder()}/one.jsonl` }, it);
		expect(left).toBeUndefined();
		expect(it.log).toEqual(["permitted /one.jsonl"]);
	});

	test("a copy that is not opened is removed", async () => {
		const it = host({ cancelled: true });
		const path = placed();
		await perform({ act: "fork", path, cwd: "/code/app", moved: false }, it);
		expect(readdirSync(dirname(path))).toEqual(["one.jsonl"]);
	});

	test("a copy that another pi has continued in the meantime is kept", async () => {
		const it = host({ cancelled: true });
		const path = placed();
		const { switchSession } = it.leaver;
		it.leaver.switchSession = (copy, options) => {
			appendFileSync(copy, `${JSON.stringify({ type: "session_info", name: "Continued" })}\n`);
			return switchSession(copy, options);
		};
		await perform({ act: "fork", path, cwd: "/code/app", moved: false }, it);
		expect(readdirSync(dirname(path))).toHaveLength(2);
	});
});
