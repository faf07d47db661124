import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { summarize } from "../sessions/summary.ts";
import { checkSession } from "./check-session.ts";
import { type CopyOutcome, copySession, isCopyable } from "./copy-session.ts";
import { put, SessionText, useTemporaryFolder } from "./session.test-support.ts";

const folder = useTemporaryFolder();
const NOW = new Date("2026-02-01T10:00:00.000Z");
const SOUND = new SessionText({ id: "original" })
	.user("Fix it")
	.assistant("On it")
	.user("And this")
	.assistant("Done")
	.toString();
const IDS = ["e0000000", "e0000001", "e0000002", "e0000003"];
const line = (index: number) => SOUND.split("\n")[index] ?? "";

const place = (text: string | Buffer = SOUND) => put(join(folder(), "one.jsonl"), text);
const forks = () => join(folder(), "forks");

const tryCopy = (path: string, entryId?: string): Promise<CopyOutcome> =>
	copySession({ path, entryId, cwd: "/x", folder: forks(), now: NOW });

/** The copy, as the host opens it. The original must not change. */
async function copied(text: string | Buffer, entryId?: string) {
	const original = place(text);
	const outcome = await tryCopy(original, entryId);
	if (!outcome.ok) throw new Error(outcome.detail);
	expect(readFileSync(original).equals(Buffer.from(text))).toBe(true);
	expect(await checkSession(outcome.path)).toEqual({ ok: true, sound: true });
	const host = SessionManager.open(outcome.path);
	return {
		...outcome,
		original,
		host,
		entries: host.getEntries(),
		branch: host.getBranch().map(({ id }) => id),
	};
}

describe("a copy", () => {
	test("of an undamaged session contains its whole history, unchanged", async () => {
		const it = await copied(SOUND);
		expect(readFileSync(it.path, "utf8").split("\n").slice(1)).toEqual(SOUND.split("\n").slice(1));
		expect(it.path).toContain(`2026-02-01T10-00-00-000Z_${it.id}.jsonl`);
		expect(it.lost).toBe(0);
		const looked = summarize(it.path);
		expect(looked.ok && looked.record.summary).toMatchObject({
			id: it.id,
			kind: "fork",
			cwd: "/x",
			parentSession: it.original,
			firstPrompt: "Fix it",
			hostReads: true,
		});
	});

	test("up to an entry ends there, and keeps only its branch and the labels on it", async () => {
		expect((await copied(SOUND, "e0000001")).branch).toEqual(["e0000000", "e0000001"]);
		const text = new SessionText().user("one").assistant("two");
		text.entry("label", { targetId: "e0000000", label: "old" });
		text.entry("label", { targetId: "e0000000", label: "start" });
		text.user("three").assistant("four");
		text.raw({
			type: "message",
			id: "b1",
			parentId: "e0000001",
			message: { role: "user", content: "detour" },
		});
		text.raw({ type: "label", id: "b2", parentId: "b1", targetId: "b1", label: "elsewhere" });
		const { branch, entries, host } = await copied(text.toString(), "e0000005");
		expect(branch.slice(0, 4)).toEqual(["e0000000", "e0000001", "e0000004", "e0000005"]);
		expect(entries.slice(4)).toMatchObject([{ type: "label", targetId: "e0000000", label: "start" }]);
		expect(host.getLabel("e0000000")).toBe("start");
	});

	it.each([
		["NUL bytes before the header", `\0\0${SOUND}`],
		["NUL bytes behind the header", SOUND.replace("\n", "\0\n")],
		["a first line []", `[]\n${SOUND}`],
		["a first line null", `null\n${SOUND}`],
		["junk, a byte order mark and the header", `junk\ufeff${SOUND}`],
		["a lost header", SOUND.slice(SOUND.indexOf("\n") + 1)],
		["a line null", `${SOUND}null\n`],
		["a torn last line", `${SOUND}{"type":"mess`],
		["two entries on one line", SOUND.replace(`${line(2)}\n`, line(2))],
		["a duplicate line", SOUND.replace(line(3), `${line(2)}\n${line(3)}`)],
		["an old format", SOUND.replace('"version":3', '"version":2')],
	])("contains the whole history despite %s", async (_, text) => {
		expect((await copied(text)).branch).toEqual(IDS);
		expect((await copied(text, "e0000003")).branch).toEqual(IDS);
	});

	test("keeps the chain of parents across lost entries, whether or not their ids can be read", async () => {
		for (const torn of [line(2).slice(0, 90), "junk"]) {
			const text = SOUND.replace(line(2), torn);
			expect(await copied(text)).toMatchObject({ branch: [IDS[0], IDS[2], IDS[3]], lost: 1 });
			expect((await copied(text, IDS[3])).branch).toEqual([IDS[0], IDS[2], IDS[3]]);
		}
	});

	test("keeps replies and compactions from which another program left out the figures", async () => {
		const bare = new SessionText()
			.user("Fix it")
			.assistant("On it", { usage: undefined })
			.entry("compaction", { summary: "Goal: fix it", firstKeptEntryId: "e0000000" })
			.assistant("Done", { usage: { input: 7 } });
		const { branch, entries } = await copied(bare.toString());
		expect(branch).toEqual(IDS);
		expect(entries[3]).toMatchObject({ message: { usage: { input: 7, cost: { total: 0 } } } });
	});

	test("keeps branches, and breaks cycles of parents", async () => {
		const entry = (id: string, parentId: string) => `${JSON.stringify({ type: "custom", id, parentId })}\n`;
		expect((await copied(SOUND + entry("side", "e0000000"))).branch).toEqual([IDS[0], "side"]);
		expect((await copied(SOUND + entry("a", "b") + entry("b", "a"))).branch).toEqual([...IDS, "a", "b"]);
	});

	test("adds ids to a session of version 1, and finds the first entry that a compaction kept", async () => {
		const lines = [
			{ type: "session", id: "s", cwd: "/x" },
			{ type: "message", message: { role: "user", content: "one" } },
			{ type: "message", message: { role: "user", content: "two" } },
			{ type: "compaction", summary: "so far", firstKeptEntryIndex: 2, tokensBefore: 5 },
		];
		const { entries, branch } = await copied(`${lines.map((one) => JSON.stringify(one)).join("\n")}\n`);
		expect(branch).toHaveLength(3);
		expect(entries[2]).toMatchObject({ firstKeptEntryId: branch[1] });
		expect(entries[2]).not.toHaveProperty("firstKeptEntryIndex");
	});

	test("is valid, whatever the original contains", async () => {
		const junk = fc.constantFrom("", "\n", "}{", '"', "\\", "\0", '{"type":"message","id":"e0000001"');
		await fc.assert(
			fc.asyncProperty(fc.nat(SOUND.length), fc.nat(200), junk, async (at, length, inserted) => {
				const copy = await tryCopy(place(SOUND.slice(0, at) + inserted + SOUND.slice(at + length)));
				if (copy.ok) expect(await checkSession(copy.path)).toEqual({ ok: true, sound: true });
			}),
		);
	});
});

describe("no copy is made", () => {
	test.each<[string, () => Promise<CopyOutcome>, RegExp]>([
		["nothing can be read", () => tryCopy(place("junk\n[]\n")), /^Nothing in this file can be read/],
		["the entry is gone", () => tryCopy(place(), "gone"), /no longer contains this entry/],
		["the agent has not replied", () => tryCopy(place(), "e0000000"), /^The agent has not replied/],
		["there is no file", () => tryCopy(join(folder(), "gone.jsonl")), /ENOENT/],
	])("if %s", async (_, copy, why) => {
		expect(await copy()).toMatchObject({ ok: false, detail: expect.stringMatching(why) });
		expect(existsSync(forks())).toBe(false);
	});

	test("if nothing can be read, as isCopyable says beforehand", async () => {
		expect(await isCopyable(place("junk\n"))).toBe(false);
		expect(await isCopyable(place())).toBe(true);
	});

	test("if its file cannot be written, and no temporary file remains", async () => {
		const path = place();
		const outcome = await copySession({ path, cwd: "/x", folder: path, now: NOW });
		expect(outcome).toMatchObject({ ok: false });
		expect(readdirSync(folder())).toEqual(["one.jsonl"]);
	});
});
