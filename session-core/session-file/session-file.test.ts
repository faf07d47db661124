import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put, SessionText, useTemporaryFolder } from "./session.test-support.ts";
import { openSessionFile, readWholeSession } from "./session-file.ts";

const MIB = 1024 * 1024;
const folder = useTemporaryFolder();
const file = (name = "s.jsonl") => join(folder(), name);

function opened(path: string, limits = {}) {
	const outcome = openSessionFile(path, limits);
	if (!outcome.ok) throw new Error(outcome.detail);
	return outcome.session;
}

describe("opening a session file", () => {
	it("takes the later of two entries with one id, as the host does", () => {
		const text = new SessionText().raw({ type: "x", id: "a", n: 1 }).raw({ type: "x", id: "a", n: 2 });
		expect(opened(put(file(), text.toString())).getEntry("a")).toMatchObject({ n: 2 });
	});

	it("reads more of the end until it contains a message, or the user's message", () => {
		const limits = { wholeBytes: 0, headBytes: 100, tailBytes: 200 };
		const text = new SessionText().user("one").assistant("x".repeat(2_000)).user("two");
		text.assistant("x".repeat(9_000)).assistant("x".repeat(3_000));
		text.entry("label", { targetId: "e0000000", label: "here" });
		const ids = (more = {}) =>
			opened(put(file(), text.toString()), { ...limits, ...more })
				.getEntries()
				.map(({ id }) => id);
		expect(ids()).toContain("e0000004");
		expect(ids()).not.toContain("e0000002");
		expect(ids({ requestBytes: 20_000 })).toContain("e0000002");
	});

	it("reads beginning and end of a long file and says so", () => {
		const text = new SessionText().user("first");
		for (let count = 0; count < 40; count++) text.padding(10_000);
		text.assistant("last");
		const session = opened(put(file(), text.toString()), {
			wholeBytes: 1_000,
			headBytes: 4_096,
			tailBytes: 50_000,
		});
		expect(session.truncated).toBe(true);
		expect(session.header?.id).toBe("s-1");
		expect(session.getEntry("e0000000")).toBeDefined();
		expect(session.getLeafEntry()?.id).toBe(text.ids.at(-1));
		expect(session.getEntries().length).toBeLessThan(10);
	});

	it("joins beginning and end without losing or doubling an entry where they meet", () => {
		const text = new SessionText();
		for (let count = 0; count < 50; count++) text.user(`line ${count}`);
		const bytes = text.toString();
		put(file(), bytes);
		for (let tailBytes = bytes.length - 1_200; tailBytes < bytes.length; tailBytes += 7) {
			const session = opened(file(), { wholeBytes: 0, headBytes: 1_500, tailBytes });
			expect(session.getEntries().map((entry) => entry.id)).toEqual(text.ids);
		}
	});

	it("gives the same result when it is read whole without blocking", async () => {
		const text = new SessionText().user("first").padding(30_000);
		for (let count = 0; count < 20; count++) text.user(`line ${count}`).assistant("ok");
		const later = await readWholeSession(put(file(), `${text.toString()}{"torn`));
		const { getEntries, getEntry, getLeafEntry, ...facts } = opened(file());
		expect(later).toMatchObject({ ok: true, session: facts });
		expect(later.ok && later.session.getEntries()).toEqual(getEntries());
		expect(later.ok && later.session.getLeafEntry()).toEqual(getLeafEntry());
		expect(getEntry("none")).toBeUndefined();
	});

	it("reads the two ends of 1.8 GB within bounds", () => {
		const head = new SessionText().user("first").toString();
		const tail = `\n${new SessionText().assistant("last").lines[1]}\n`;
		const descriptor = openSync(put(file(), head), "r+");
		ftruncateSync(descriptor, 1_800 * MIB);
		writeSync(descriptor, tail, 1_800 * MIB - tail.length);
		closeSync(descriptor);
		const before = process.memoryUsage().rss;
		const session = opened(file());
		expect(session.header?.id).toBe("s-1");
		expect(session.getLeafEntry()).toMatchObject({ message: { role: "assistant" } });
		expect(process.memoryUsage().rss - before).toBeLessThan(64 * MIB);
	});

	it("leaves the header out where its line is lost, and keeps the entries", () => {
		const session = opened(put(file(), new SessionText().user("one").toString().slice(5)));
		expect(session.header).toBeUndefined();
		expect(session.getEntries()).toHaveLength(1);
	});
});

describe("what is not opened", () => {
	it.each([
		["other JSON lines", '{"level":"info"}\n{"level":"warn"}\n', "not_session"],
		["text", "hello\nworld\n", "not_session"],
		["binary data", "\u0000\u0001\u0002", "not_session"],
		["nothing", "", "empty"],
	])("%s", (_, content, reason) => {
		expect(openSessionFile(put(file(), content))).toMatchObject({ ok: false, reason });
	});
});
