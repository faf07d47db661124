import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { describe, expect, test } from "vitest";
import { forkFile } from "./fork-file.ts";
import { put, SessionText, useTemporaryFolder } from "./store.test-support.ts";
import { summarize } from "./summarize.ts";
import { ownMark, realProcesses } from "./writer.ts";

const folder = useTemporaryFolder();
const NOW = new Date("2026-02-01T10:00:00.000Z");
const SOUND = new SessionText({ id: "original" })
	.user("Fix it")
	.assistant("Done")
	.name("Dates")
	.user("More")
	.assistant("There")
	.toString();

const placed = (text = SOUND) => put(join(folder(), "one.jsonl"), text);

async function fork(path: string, entryId?: string) {
	const sessions = join(folder(), "forks");
	const outcome = await forkFile({ path, entryId, cwd: "/x", folder: sessions, now: NOW });
	if (!outcome.ok) return { outcome, path: "", id: "", branch: [], host: undefined };
	const host = SessionManager.open(outcome.path);
	return { outcome, ...outcome, branch: host.getBranch(), host };
}

const ids = (branch: readonly { id: string }[]) => branch.map(({ id }) => id);

describe("a fork", () => {
	test("of the whole is its history in a new session, which the host opens; the original stays as it is", async () => {
		const path = placed();
		const forked = await fork(path);
		expect(forked.outcome.ok).toBe(true);
		expect(readFileSync(path, "utf8")).toBe(SOUND);
		expect(ids(forked.branch)).toEqual(["e0000000", "e0000001", "e0000002", "e0000003", "e0000004"]);
		const looked = summarize(forked.path);
		expect(looked.ok && looked.record.summary).toMatchObject({
			id: forked.id,
			kind: "fork",
			cwd: "/x",
			name: "Dates",
			parentSession: path,
			firstPrompt: "Fix it",
			hostReads: true,
		});
		expect(forked.path).toContain(`2026-02-01T10-00-00-000Z_${forked.id}.jsonl`);
	});

	test("at an entry ends there", async () => {
		const path = placed();
		expect(ids((await fork(path, "e0000001")).branch)).toEqual(["e0000000", "e0000001"]);
		expect(readFileSync(path, "utf8")).toBe(SOUND);
	});

	test("at an entry keeps its branch only, with the labels that stand on it", async () => {
		const text = new SessionText().user("one").assistant("two");
		text.entry("label", { targetId: "e0000000", label: "old" });
		text.entry("label", { targetId: "e0000000", label: "start" });
		text.user("three").assistant("four");
		text.raw({
			type: "message",
			id: "b1",
			parentId: "e0000001",
			message: { role: "user", content: "aside" },
		});
		text.raw({ type: "label", id: "b2", parentId: "b1", targetId: "b1", label: "elsewhere" });
		const path = placed(text.toString());
		const ours = await fork(path, "e0000005");
		expect(ids(ours.branch.slice(0, 4))).toEqual(["e0000000", "e0000001", "e0000004", "e0000005"]);
		expect(ours.branch.slice(4)).toMatchObject([{ type: "label", targetId: "e0000000", label: "start" }]);
		expect(ours.host?.getLabel("e0000000")).toBe("start");
		expect(ours.host?.getEntries()).toHaveLength(5);
	});

	test("holds together across a damaged line", async () => {
		const lines = SOUND.split("\n");
		const path = placed([...lines.slice(0, 2), (lines[2] ?? "").slice(0, 90), ...lines.slice(3)].join("\n"));
		expect(ids((await fork(path)).branch)).toEqual(["e0000000", "e0000002", "e0000003", "e0000004"]);
		expect(ids((await fork(path, "e0000004")).branch)).toHaveLength(4);
	});

	test("keeps lines of any length", async () => {
		const path = placed(new SessionText().user("one").padding(9_000_000).assistant("two").toString());
		expect(ids((await fork(path, "e0000002")).branch)).toHaveLength(3);
	});
});

describe("no fork is made", () => {
	test.each([
		["NUL bytes before the header", `\0\0${SOUND}`],
		["a first line []", `[]\n${SOUND}`],
		["a first line null", `null\n${SOUND}`],
		["a circle of parents", `${SOUND}{"type":"custom","id":"a","parentId":"a"}\n`],
	])("of a file with %s", async (_, damaged) => {
		const path = placed(damaged);
		expect((await fork(path)).outcome).toMatchObject({ ok: false, reason: "damaged" });
		expect(readFileSync(path, "utf8")).toBe(damaged);
		expect(readdirSync(folder())).toEqual(["one.jsonl"]);
	});

	test("of an old format, of what is not there, and where nothing was replied", async () => {
		expect((await fork(placed(SOUND.replace('"version":3', '"version":2')))).outcome).toMatchObject({
			reason: "old_format",
		});
		expect((await fork(placed(), "gone")).outcome).toMatchObject({ reason: "no_entry" });
		expect((await fork(placed(), "e0000000")).outcome).toMatchObject({ reason: "no_reply" });
		expect((await fork(join(folder(), "gone.jsonl"))).outcome).toMatchObject({ reason: "unreadable" });
	});

	test("of a pipe, which keeps nobody waiting", async () => {
		const path = join(folder(), "pipe.jsonl");
		execFileSync("mkfifo", [path]);
		expect((await fork(path)).outcome).toMatchObject({ ok: false });
	});

	test("where its file cannot be written, and nothing is left behind", async () => {
		const path = placed();
		const outcome = await forkFile({ path, entryId: undefined, cwd: "/x", folder: path, now: NOW });
		expect(outcome).toMatchObject({ ok: false, reason: "unwritable" });
		expect(readdirSync(folder())).toEqual(["one.jsonl"]);
	});
});

test("what a killed process left of a fork is taken away, and what is being made is left", async () => {
	const { pid } = spawnSync(process.execPath, ["--version"]);
	const half = `x.jsonl.${realProcesses().space}-${pid}-5.ab1.tmp`;
	const own = `y.jsonl.${ownMark()}.ab2.tmp`;
	for (const name of [half, own]) put(join(folder(), "forks", name), "half");
	expect((await fork(placed())).outcome.ok).toBe(true);
	expect(readdirSync(join(folder(), "forks")).filter((name) => name.endsWith(".tmp"))).toEqual([own]);
});
