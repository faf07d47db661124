import { execFileSync } from "node:child_process";
import { appendFileSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { describe, expect, it, test } from "vitest";
import { summarize } from "../sessions/summary.ts";
import { checkSession } from "./check-session.ts";
import { TITLE_ENTRY } from "./entry.ts";
import { knownNames, type NameRequest, nameByPerson, nameSession, renameInFile, takeName } from "./names.ts";
import { type NameRecord, nameText, previousName, readNameRecord } from "./names-in-file.ts";
import { put, SessionText, useTemporaryFolder, VERSION_1 } from "./session.test-support.ts";

const name = (id: string, text: string): NameRecord => ({ kind: "name", id, text });
test("the previous name is the newest one with another text, or none", () => {
	expect(previousName([name("1", "A"), name("2", "B"), name("3", "B")])).toBe("A");
	expect(previousName([name("1", "A"), name("2", "B"), name("3", "A")])).toBe("B");
	expect(previousName([name("1", "A")])).toBe("");
	expect(previousName([])).toBe("");
});

test("reads entries of any shape, or skips them", () => {
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

/** What the next process that opens the session sees. */
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

const seen = ({ host }: Process) => knownNames(host).current?.id ?? null;
const AUTO: NameRequest = { data: { title: "Fix it all", source: "auto" }, mayReplace: () => false };

/** The ways in which a person names a session in another process. */
const PEOPLE: [string, (other: Process) => void][] = [
	["the host's /name", ({ manager }) => void manager.appendSessionInfo("mine")],
	["our /rename", ({ host }) => void nameByPerson(host, "mine")],
];

describe.each(PEOPLE)("a person's name by %s in another process", (_, name) => {
	it("takes precedence over an automatic title, whichever is written first", () => {
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

	it("is replaced only by a title that was requested after it", () => {
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

	it("is adopted once by a tab that has the session open, and hides no messages", () => {
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

const UNWRITTEN: [string, (tab: Process) => unknown, () => void, string][] = [
	[
		"a person's name through a symlink",
		({ host }) => nameByPerson(host, "mine"),
		() => [renameSync(path(), join(folder(), "victim")), symlinkSync(join(folder(), "victim"), path())],
		"unreadable",
	],
	[
		"an automatic title if the user removed a name, which is a choice, too",
		({ host }) => nameSession(host, AUTO),
		() => opened().manager.appendSessionInfo(""),
		"named_meanwhile",
	],
	[
		"an automatic title after a torn last line",
		({ host }) => nameSession(host, AUTO),
		() => appendFileSync(path(), '{"type":"message","id":"'),
		"not_written",
	],
];

it.each(UNWRITTEN)("does not write %s", (_, name, happens, reason) => {
	placed();
	const tab = opened();
	happens();
	const files = () => readdirSync(folder()).map((name) => readFileSync(join(folder(), name), "utf8"));
	const before = files();
	expect(name(tab)).toMatchObject({ ok: false, reason });
	expect(files()).toEqual(before);
});

describe("a name that the user typed", () => {
	it("does not hide messages that another process has appended", () => {
		placed();
		const [tab, other] = [opened(), opened()];
		other.says("said elsewhere");
		expect(nameByPerson(tab.host, "mine")).toEqual({ ok: true });
		expect(next()).toMatchObject({ name: "mine", source: "manual" });
		expect(next().said).toContain("said elsewhere");
	});

	it("is kept in memory until the host creates the file", () => {
		const { manager, host } = opened();
		expect(nameByPerson(host, "early")).toEqual({ ok: true });
		expect(manager.getSessionName()).toBe("early");
	});
});

it("does not adopt another tab's automatic title as a person's name", () => {
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

	it("does not break the branch of a process that has the session open", async () => {
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
		const before = `${VERSION_1.join("\n")}\n`;
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

	it("appends the first entry to a file without entries", async () => {
		placed(new SessionText());
		await renameInFile(path(), "Empty");
		expect(next()).toMatchObject({ name: "Empty", source: "manual" });
	});
});
