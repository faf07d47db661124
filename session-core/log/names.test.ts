import { execFileSync } from "node:child_process";
import {
	appendFileSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { describe, expect, it, test } from "vitest";
import { fillDisk } from "../../test/support/full-disk.ts";
import { summarize } from "../sessions/summary.ts";
import { checkSession } from "./check-session.ts";
import {
	knownRecords,
	type NameRequest,
	nameByPerson,
	nameSession,
	renameInFile,
	takeName,
} from "./names.ts";
import {
	type NameRecord,
	nameText,
	newestName,
	previousName,
	readNameRecord,
	TITLE_ENTRY,
} from "./names-in-file.ts";
import { put, SessionText, useTemporaryFolder } from "./session.test-support.ts";

const name = (id: string, text: string): NameRecord => ({ kind: "name", id, text });
test("the previous name is the newest one with another text, or none", () => {
	expect(previousName([name("1", "A"), name("2", "B"), name("3", "B")])).toBe("A");
	expect(previousName([name("1", "A"), name("2", "B"), name("3", "A")])).toBe("B");
	expect(previousName([name("1", "A")])).toBe("");
	expect(previousName([])).toBe("");
});

test("entries of any shape are read or skipped", () => {
	const info = { type: "session_info", id: "1" };
	const title = { type: "custom", id: "2", customType: TITLE_ENTRY };
	const data = { title: "A", source: "auto", more: 1 };
	expect(readNameRecord({ ...info, name: " A " })).toEqual(name("1", "A"));
	expect(readNameRecord(info)).toEqual(name("1", ""));
	expect(readNameRecord({ ...title, data })).toMatchObject({ kind: "title" });
	const odd = [null, { ...data, title: 1 }, { ...data, source: "robot" }].map((data) => ({ ...title, data }));
	for (const entry of [...odd, {}, { ...info, id: 1 }, { type: "message", id: "1" }])
		expect(readNameRecord(entry)).toBeUndefined();
});

test("a name is one clean line of bounded length", () => {
	expect(nameText(" \x1b[31mDates\n in\u202e UTC ")).toBe("Dates in UTC");
	expect(nameText("\u200b")).toBe("");
	expect(nameText("x ".repeat(500)).length).toBeLessThan(210);
});

const folder = useTemporaryFolder();
const path = () => join(folder(), "one.jsonl");

const placed = (text: { toString(): string } = talk()) => put(path(), text.toString());
const talk = () => new SessionText().user("Fix it").assistant("Done");

/** Another process that opens the session now, as the host does when it starts. */
function opened() {
	const manager = SessionManager.open(path());
	const pi = {
		appendEntry: (type: string, data: unknown) => void manager.appendCustomEntry(type, data),
		setSessionName: (name: string) => void manager.appendSessionInfo(name),
	};
	const says = (content: string) => void manager.appendMessage({ role: "user", content, timestamp: 0 });
	return { manager, host: { pi, manager }, says };
}
type Process = ReturnType<typeof opened>;

/** What the next process sees that opens the session. */
function next() {
	const { manager } = opened();
	const looked = summarize(path());
	const source = looked.ok ? looked.record.summary.nameSource : looked.reason;
	return { name: manager.getSessionName(), source, said: JSON.stringify(manager.getBranch()) };
}

const names = () =>
	readFileSync(path(), "utf8")
		.split("\n")
		.flatMap((line) => (line.includes('"type":"session_info"') ? [JSON.parse(line).name] : []));

const seen = ({ host }: Process) => newestName(knownRecords(host))?.id ?? null;
const AUTO: NameRequest = { data: { title: "Fix it all", source: "auto" }, mayReplace: () => false };

/** The ways in which a person names a session in another process. */
const PEOPLE: [string, (other: Process) => void][] = [
	["the host's /name", ({ manager }) => void manager.appendSessionInfo("mine")],
	["our /rename", ({ host }) => void nameByPerson(host, "mine")],
];

describe.each(PEOPLE)("a person's name by %s in another process", (_, name) => {
	it("wins over an automatic title if it was there before, or comes later", () => {
		placed();
		const late = opened();
		name(opened());
		expect(nameSession(late.host, AUTO)).toEqual({ ok: false, reason: "named_meanwhile" });
		expect(names()).toEqual(["mine"]);
		placed();
		expect(nameSession(opened().host, AUTO)).toEqual({ ok: true });
		expect(next()).toMatchObject({ name: "Fix it all", source: "auto" });
		name(opened());
		expect(next()).toMatchObject({ name: "mine", source: "manual" });
	});

	it("is not replaced by a title that was requested before, and is by one that is requested now", () => {
		placed();
		const tab = opened();
		const request = (seenId: string | null): NameRequest => ({
			...AUTO,
			mayReplace: ({ source, id }) => source === "auto" || id === seenId,
		});
		const before = request(seen(tab));
		name(opened());
		expect(nameSession(tab.host, before)).toEqual({ ok: false, reason: "named_meanwhile" });
		expect(nameSession(tab.host, request(seen(tab)))).toEqual({ ok: true });
		expect(next()).toMatchObject({ name: "Fix it all", source: "auto" });
	});

	it("is taken over by a tab that has the session open, once, and hides nothing", () => {
		placed();
		const tab = opened();
		expect(takeName(tab.host)).toBe(false);
		name(opened());
		expect(takeName(tab.host)).toBe(true);
		expect(tab.manager.getSessionName()).toBe("mine");
		expect(takeName(tab.host)).toBe(false);
		tab.says("feed the cat");
		expect(next()).toMatchObject({ name: "mine", source: "manual" });
		expect(next().said).toContain("feed the cat");
		expect(names()).toEqual(["mine", "mine"]);
	});
});

describe("a name that a person types is not written", () => {
	it.each<[string, () => void, string]>([
		[
			"through a symlink",
			() => [renameSync(path(), join(folder(), "victim")), symlinkSync(join(folder(), "victim"), path())],
			"unreadable",
		],
		["if the file was deleted", () => rmSync(path()), "not_written"],
		["if the file was emptied", () => writeFileSync(path(), ""), "not_written"],
	])("%s", (_, happens, reason) => {
		placed();
		const tab = opened();
		happens();
		const files = () => readdirSync(folder()).map((name) => readFileSync(join(folder(), name), "utf8"));
		const before = files();
		expect(nameByPerson(tab.host, "mine")).toMatchObject({ ok: false, reason });
		expect(files()).toEqual(before);
	});
});

describe("an automatic title is not written", () => {
	it.each<[string, (other: Process) => void, string]>([
		[
			"if a name was removed, which is a choice too",
			({ manager }) => manager.appendSessionInfo(""),
			"named_meanwhile",
		],
		["after a torn last line", () => appendFileSync(path(), '{"type":"message","id":"'), "not_written"],
	])("%s", (_, happens, reason) => {
		placed();
		const late = opened();
		happens(opened());
		const before = readFileSync(path(), "utf8");
		expect(nameSession(late.host, AUTO)).toMatchObject({ ok: false, reason });
		expect(readFileSync(path(), "utf8")).toBe(before);
	});
});

describe("a name that the user typed", () => {
	it("does not hide what another process said meanwhile", () => {
		placed();
		const [tab, other] = [opened(), opened()];
		other.says("said elsewhere");
		expect(nameByPerson(tab.host, "mine")).toEqual({ ok: true });
		expect(next()).toMatchObject({ name: "mine", source: "manual" });
		expect(next().said).toContain("said elsewhere");
	});

	it("after /tree does not move the point at which the session reopens", () => {
		placed();
		const { manager, host } = opened();
		manager.branch(manager.getEntries()[0]?.id ?? "");
		nameByPerson(host, "mine");
		expect(JSON.stringify(manager.getBranch())).not.toContain("Done");
		expect(next()).toMatchObject({ name: "mine", said: expect.stringContaining("Done") });
	});

	it("is kept in memory until the host creates the file", () => {
		const { manager, host } = opened();
		expect(nameByPerson(host, "early")).toEqual({ ok: true });
		expect(manager.getSessionName()).toBe("early");
	});

	it("is not taken for written if the disk is full", () => {
		placed();
		const { host } = opened();
		const makeRoom = fillDisk((written) => written === path());
		const outcome = nameByPerson(host, "mine");
		makeRoom();
		expect(outcome).toMatchObject({ reason: "not_written", detail: expect.stringContaining("ENOSPC") });
	});
});

it("a title of another tab is not taken over as a person's name", () => {
	placed();
	const tab = opened();
	nameSession(opened().host, AUTO);
	expect(takeName(tab.host)).toBe(false);
	expect(tab.manager.getSessionName()).toBeUndefined();
});

describe("renaming a session in its file", () => {
	it("appends the host's entry and the record that a person chose it; nothing before it changes", async () => {
		const before = talk().title("Dates", "auto").name("Dates").toString();
		placed(before);
		expect(await renameInFile(path(), "Dates")).toEqual({ ok: true, name: "Dates" });
		expect(readFileSync(path(), "utf8").startsWith(before)).toBe(true);
		expect(next()).toMatchObject({ name: "Dates", source: "manual" });
		expect(next().said).toContain("Done");
	});

	it("leaves the story of a process that has it open in one piece", async () => {
		placed();
		const tab = opened();
		tab.says("water the plants");
		await renameInFile(path(), "Plants");
		tab.says("feed the cat");
		expect(next().name).toBe("Plants");
		expect(next().said).toMatch(/water the plants.*feed the cat/);
		expect(takeName(tab.host)).toBe(true);
		expect(next().said).toMatch(/water the plants.*feed the cat/);
	});

	it("does not rewrite a file of version 1", async () => {
		const lines = [
			{ type: "session", id: "s-1", timestamp: "2025-11-01T10:00:00Z", cwd: "/code" },
			{ type: "message", timestamp: "2025-11-01T10:00:01Z", message: { role: "user", content: "Fix it" } },
		];
		const before = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
		placed(before);
		expect((await renameInFile(path(), "Dates")).ok).toBe(true);
		expect(readFileSync(path(), "utf8").startsWith(before)).toBe(true);
		expect(await checkSession(path())).toEqual({ ok: true, sound: true });
	});

	it("writes nothing into a damaged file, a pipe, a symlink's target or a missing file", async () => {
		const damaged = `[]\n${talk()}`;
		placed(damaged);
		expect(await renameInFile(path(), "Dates")).toMatchObject({
			ok: false,
			detail: expect.stringContaining("damaged"),
		});
		const [pipe, link] = [join(folder(), "pipe.jsonl"), join(folder(), "link.jsonl")];
		execFileSync("mkfifo", [pipe]);
		symlinkSync(path(), link);
		for (const file of [pipe, link, join(folder(), "gone.jsonl")])
			expect((await renameInFile(file, "Dates")).ok).toBe(false);
		expect(statSync(path()).size).toBe(damaged.length);
	});

	it("gives a file without an entry its first one", async () => {
		placed(new SessionText());
		await renameInFile(path(), "Empty");
		expect(next()).toMatchObject({ name: "Empty", source: "manual" });
	});
});
