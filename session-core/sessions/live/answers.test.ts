import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { put, useTemporaryFolder } from "../../log/session.test-support.ts";
import { type InboxOutcome, openInbox, sendAnswer } from "./answers.ts";
import { LeaseHolder } from "./lease-files.ts";

const agentDir = useTemporaryFolder();
const inboxes = () => readdirSync(join(agentDir(), "session-suite", "answers"));

/** Opens a session in this process. `outcome` returns the outcome of each answer that it receives. */
function opened(outcome: () => Promise<InboxOutcome> = async () => "done") {
	const holder = new LeaseHolder(agentDir(), { sessionId: "s-1" }, "waiting", Date.now());
	holder.claim();
	onTestFinished(() => holder.release());
	const { instance } = holder;
	const taken: string[] = [];
	const close = openInbox(agentDir(), instance, (answer) => {
		taken.push(answer.text);
		return outcome();
	});
	onTestFinished(close);
	const send = (text: string) =>
		sendAnswer(agentDir(), { instance, sessionId: "s-1" }, { stamp: "m1", text, from: "board" });
	return { instance, taken, close, send, release: () => holder.release() };
}

test("two simultaneous answers are each taken once, and a session that closes meanwhile reports that, or that it is unsure", async () => {
	const over = new AbortController();
	const { taken, close, send, release } = opened(async () => {
		await once(over.signal, "abort");
		return "done";
	});
	const sent = [send("one"), send("two")];
	await expect.poll(() => taken.length).toBe(1);
	close();
	release();
	const outcomes = (await Promise.all(sent)).map((one) => (one.ok ? "ok" : one.reason));
	expect(outcomes.toSorted()).toEqual(["closed", "unsure"]);
	over.abort();
	expect(taken).toHaveLength(1);
	expect(await send("three")).toMatchObject({ ok: false, reason: "closed" });
});

test("an outcome is still readable after its session has ended, and only old inboxes without a lease are removed", () => {
	const first = opened();
	const unread = join(agentDir(), "session-suite", "answers", first.instance, "1.done");
	put(unread, "");
	first.close();
	first.release();
	opened();
	expect(existsSync(unread)).toBe(true);
	const old = join(agentDir(), "session-suite", "answers", "old");
	mkdirSync(old, { mode: 0o700 });
	utimesSync(old, 1, 1);
	const { instance } = opened();
	expect(inboxes()).toContain(instance);
	expect(inboxes()).not.toContain("old");
});
