import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { summarize } from "../sessions/summary.ts";
import { type BranchSlice, leftOutIn, walkBranch } from "./branch.ts";
import { type Entry, readMessage } from "./entry.ts";
import { promptOf } from "./prompts.ts";
import { put, SessionText, useTemporaryFolder } from "./session.test-support.ts";
import { openSessionFile, readWholeSession } from "./session-file.ts";

const MIB = 1024 * 1024;
const folder = useTemporaryFolder();
const file = (name = "s.jsonl") => join(folder(), name);

async function opened(path: string) {
	const outcome = await openSessionFile(path);
	if (!outcome.ok) throw new Error(outcome.detail);
	return outcome.session;
}

/** In a file without parents, an entry follows the one before it. */
const withoutParents = ({ entries, firstReply }: BranchSlice) => ({
	entries: entries.map(({ parentId: _, ...entry }) => entry),
	firstReply: firstReply?.id,
});

/**
 * The recent part of a session, read from the end of the file. It must be the same as that of the
 * completely read session.
 */
async function sliceOf(text: string | SessionText): Promise<BranchSlice> {
	const path = put(file(), String(text));
	const whole = await readWholeSession(path);
	if (!whole.ok) throw new Error(whole.detail);
	const { slice } = await opened(path);
	expect(withoutParents(slice)).toEqual(withoutParents(walkBranch(whole.session)));
	return slice;
}

const requestsIn = ({ entries }: BranchSlice) => entries.flatMap((entry) => promptOf(entry) ?? []);

describe("opening a session file", () => {
	it("uses the later of two entries with the same id, as the host does", async () => {
		const twice = { type: "x", id: "a", parentId: "e0000000" };
		const text = new SessionText()
			.user("one")
			.raw({ ...twice, n: 1 })
			.raw({ ...twice, n: 2 });
		expect((await sliceOf(text)).entries.at(-1)).toMatchObject({ n: 2 });
	});

	it.each([
		[300, 100],
		[160, 15_000],
		[30, 400_000],
		[2_000, 300],
	])("finds the newest request before %i calls with %i bytes of output each", async (calls, bytes) => {
		const text = new SessionText();
		const asked = ["Port the parser", "Sort the menu", "Sort it by price", "Fix the leak in the cache"];
		for (const request of asked.slice(0, 3)) text.user(request).bash("ls", "a").assistant("Done.");
		text.user(asked[3] ?? "");
		for (let call = 0; call < calls; call++) text.bash(`sed -n ${call}p src/tok.ts`, "x ".repeat(bytes / 2));
		const slice = await sliceOf(text.assistant("The leak is fixed."));
		expect(requestsIn(slice)).toEqual(asked);
		const left = slice.entries.flatMap((entry) => leftOutIn(entry)?.steps ?? []).at(-1);
		const kept = slice.entries.filter((entry) => readMessage(entry)?.role === "toolResult").length;
		expect((left ?? 0) + kept).toBeGreaterThanOrEqual(calls);
	});

	it("reads a request with a screenshot of 10 MB, and skips results as long", async () => {
		const image = { type: "image", data: "A".repeat(10 << 20), mimeType: "image/png" };
		const text = new SessionText().user("Port the parser").assistant("Done.");
		text.entry("message", {
			message: { role: "user", content: [{ type: "text", text: "Fix this" }, image] },
		});
		text.bash("cat log", "x".repeat(9 << 20)).assistant("Fixed.");
		const { slice } = await opened(put(file(), String(text)));
		expect(slice.entries.map((entry) => readMessage(entry)?.role)).toEqual(
			"user assistant user assistant toolResult assistant".split(" "),
		);
		expect(readMessage(slice.entries[2] as Entry)).toMatchObject({ images: 1 });
	});

	it("follows the branch past another branch, a damaged line and joined entries", async () => {
		const text = new SessionText().user("Port the parser").assistant("Done.");
		const { lines } = text.user("Fix the leak").bash("ls", "a").bash("ls", "b").assistant("Fixed.");
		const sibling = { type: "message", id: "left", parentId: text.ids[1], timestamp: "2026-01-01T00:00:00Z" };
		const other = JSON.stringify({ ...sibling, message: { role: "user", content: "Sort the menu" } });
		const glued = [...lines.slice(0, 4), `${lines[4]}${lines[5]}`, other, ...lines.slice(6)];
		expect(requestsIn(await sliceOf(`${glued.join("\n")}\n`))).toEqual(["Port the parser", "Fix the leak"]);
		const torn = lines.map((line, at) => (at === 5 ? line.slice(20) : line));
		expect(requestsIn(await sliceOf(`${torn.join("\n")}\n`))).toEqual(["Port the parser", "Fix the leak"]);
	});

	it("opens a file of 1.8 GB in little memory", async () => {
		const head = new SessionText().user("first").toString();
		const tail = `\n${new SessionText().assistant("last").lines[1]}\n`;
		const descriptor = openSync(put(file(), head), "r+");
		ftruncateSync(descriptor, 1_800 * MIB);
		writeSync(descriptor, tail, 1_800 * MIB - tail.length);
		closeSync(descriptor);
		const before = process.memoryUsage().rss;
		const session = await opened(file());
		expect(session.header?.id).toBe("s-1");
		expect(session.slice.entries.at(-1)).toMatchObject({ message: { role: "assistant" } });
		expect(process.memoryUsage().rss - before).toBeLessThan(64 * MIB);
	});

	it("keeps the entries if the header is lost", async () => {
		const session = await opened(put(file(), new SessionText().user("one").toString().slice(5)));
		expect(session.header).toBeUndefined();
		expect(session.slice.entries).toHaveLength(1);
	});
});

const EVENTS = [{ type: "session", version: 3, id: "s-1" }, { type: "agent_start" }, { type: "message_end" }];

it.each([
	["the events of `pi --mode json`", EVENTS.map((event) => JSON.stringify(event)).join("\n"), "not_session"],
	["other JSON lines", '{"level":"info"}\n{"level":"warn"}\n', "not_session"],
	["text", "hello\nworld\n", "not_session"],
	["binary data", "\u0000\u0001\u0002", "not_session"],
	["nothing", "", "empty"],
])("%s is not a session", async (_, content, reason) => {
	const path = put(file(), content);
	for (const outcome of [await openSessionFile(path), summarize(path)])
		expect(outcome).toMatchObject({ ok: false, reason });
});
