import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { hostModule } from "./host-loader.test-support.ts";
import { hostReading } from "./host-reading.ts";
import { canRepair, repairCopy } from "./repaired-copy.ts";
import { put, SessionText, useTemporaryFolder } from "./store.test-support.ts";
import { summarize } from "./summarize.ts";

const folder = useTemporaryFolder();
const host = await hostModule();
const SOUND = new SessionText()
	.user("Fix it")
	.assistant("On it")
	.user("And this")
	.assistant("Done")
	.toString();
const IDS = ["e0000000", "e0000001", "e0000002", "e0000003"];

async function repaired(text: string | Buffer) {
	const path = put(join(folder(), "damaged.jsonl"), text);
	const outcome = await repairCopy({ path, folder: folder(), cwd: "/code/app", now: new Date() });
	if (!outcome.ok) throw new Error(outcome.detail);
	expect(readFileSync(path)).toEqual(Buffer.from(text));
	expect(await hostReading(outcome.path)).toEqual({ ok: true, reads: true });
	const session = host.SessionManager.open(outcome.path);
	const branch = session.getBranch().map(({ id }) => String(id));
	return { ...outcome, damaged: path, id: session.getSessionId(), entries: session.getEntries(), branch };
}

const line = (index: number) => SOUND.split("\n")[index] ?? "";

describe("a repaired copy", () => {
	it.each([
		["NUL bytes before the header", `\0\0${SOUND}`],
		["NUL bytes behind the header", SOUND.replace("\n", "\0\n")],
		["a first line []", `[]\n${SOUND}`],
		["a first line null", `null\n${SOUND}`],
		["junk, a byte order mark and the header", `junk\ufeff${SOUND}`],
		["a lost header", SOUND.slice(SOUND.indexOf("\n") + 1)],
		["a line null", `${SOUND}null\n`],
		["two entries on one line", `[]\n${SOUND.replace(`${line(2)}\n`, line(2))}`],
		["a line that stands twice", `[]\n${SOUND.replace(line(3), `${line(2)}\n${line(3)}`)}`],
	])("holds the whole history in spite of %s", async (_, text) => {
		expect((await repaired(text)).branch).toEqual(IDS);
	});

	test("keeps the chain across lost entries, whether their place can be read or not", async () => {
		const torn = line(2).slice(0, 90);
		expect((await repaired(`0\n${SOUND.replace(line(2), torn)}`)).branch).toEqual([IDS[0], IDS[2], IDS[3]]);
		expect((await repaired(`0\n${SOUND.replace(line(2), "junk")}`)).branch).toEqual([IDS[0], IDS[2], IDS[3]]);
	});

	test("keeps replies and compactions whose figures another program left out", async () => {
		const bare = new SessionText()
			.user("Fix it")
			.assistant("On it", { usage: undefined })
			.entry("compaction", { summary: "Goal: fix it", firstKeptEntryId: "e0000000" })
			.assistant("Done", { usage: { input: 7 } });
		const { branch, entries } = await repaired(bare.toString());
		expect(branch).toEqual(IDS);
		expect(entries[3]).toMatchObject({ message: { usage: { input: 7, cost: { total: 0 } } } });
	});

	test("keeps branches, and ends circles", async () => {
		const side = JSON.stringify({ type: "custom", id: "side", parentId: IDS[0] });
		expect((await repaired(`0\n${SOUND}${side}\n`)).branch).toEqual([IDS[0], "side"]);
		const circle = [
			{ type: "custom", id: "a", parentId: "b" },
			{ type: "custom", id: "b", parentId: "a" },
		];
		const text = SOUND + circle.map((one) => `${JSON.stringify(one)}\n`).join("");
		expect((await repaired(text)).branch).toEqual([...IDS, "a", "b"]);
	});

	test("gives ids to a session of version 1, and finds what a compaction kept", async () => {
		const lines = [
			{ type: "session", id: "s", cwd: "/x" },
			{ type: "message", message: { role: "user", content: "one" } },
			{ type: "message", message: { role: "user", content: "two" } },
			{ type: "compaction", summary: "so far", firstKeptEntryIndex: 2, tokensBefore: 5 },
		];
		const { entries, branch } = await repaired(
			`{"torn\n${lines.map((one) => JSON.stringify(one)).join("\n")}`,
		);
		expect(branch).toHaveLength(3);
		expect(entries[2]).toMatchObject({ firstKeptEntryId: branch[1] });
		expect(entries[2]).not.toHaveProperty("firstKeptEntryIndex");
	});

	test("is a session of its own, beside the damaged one, and says what could not be read", async () => {
		const { path, damaged, id, lost } = await repaired(`[]\n${SOUND}{"torn`);
		expect(dirname(path)).toBe(dirname(damaged));
		expect(id).not.toBe("s-1");
		expect(lost).toBe(2);
		const looked = summarize(path);
		expect(looked.ok && looked.record.summary).toMatchObject({
			kind: "fork",
			cwd: "/code/app",
			parentSession: damaged,
			firstPrompt: "Fix it",
			hostReads: true,
		});
	});

	test("is not made where nothing can be read, and a failure leaves nothing behind", async () => {
		const path = put(join(folder(), "damaged.jsonl"), "junk\n[]\n");
		expect(await canRepair(path)).toBe(false);
		const now = new Date();
		expect(await repairCopy({ path, folder: folder(), cwd: "/x", now })).toMatchObject({ ok: false });
		put(path, `0\n${SOUND}`);
		expect(await canRepair(path)).toBe(true);
		expect(await repairCopy({ path, folder: path, cwd: "/x", now })).toMatchObject({ ok: false });
		expect(readdirSync(folder())).toEqual(["damaged.jsonl"]);
	});
});
