import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { describe, expect, onTestFinished, test } from "vitest";
import { LeaseHolder, type LeaseState } from "../../session-core/store/lease.ts";
import { put, SessionText, useTemporaryFolder } from "../../session-core/store/store.test-support.ts";
import { summarize } from "../../session-core/store/summarize.ts";
import { realProcesses } from "../../session-core/store/writer.ts";
import { until } from "../../test/host/until.ts";
import { leaveNote, noteFolder, takeNote, withdrawNote } from "./name-notes.ts";
import { watchNames } from "./name-watch.ts";
import { takeName } from "./take-name.ts";
import { tellOthers } from "./tell-name.ts";

const agentDir = useTemporaryFolder();
const file = () => join(agentDir(), "one.jsonl");
const left = () => readdirSync(noteFolder(agentDir()));

/** A session that is open: the host's own class, and what the extension does with names. */
function opened(text: SessionText, state: LeaseState = "idle") {
	const path = existsSync(file()) ? file() : put(file(), text.toString());
	const manager = SessionManager.open(path);
	const holder = new LeaseHolder(agentDir(), { sessionId: "s-1", sessionFile: path }, state, Date.now());
	holder.claim();
	const pi = {
		appendEntry: (type: string, data: unknown) => void manager.appendCustomEntry(type, data),
		setSessionName: (name: string) => void manager.appendSessionInfo(name),
	};
	return { manager, pi, holder };
}

function listening(it: ReturnType<typeof opened>, named?: (name: string) => void) {
	const watch = watchNames(agentDir(), it.holder.instance, named ?? ((name) => takeName(it, name)));
	onTestFinished(() => watch.end());
	return watch;
}

const lines = () =>
	readFileSync(file(), "utf8")
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));
const names = () => lines().flatMap(({ type, name }) => (type === "session_info" ? [name] : []));
const nameSource = () => {
	const looked = summarize(file());
	return looked.ok ? [looked.record.summary.name, looked.record.summary.nameSource] : looked.reason;
};
const talk = () => new SessionText().user("water the plants").assistant("Done.");
const tell = (name: string) => tellOthers(agentDir(), { path: file(), id: "s-1" }, name);

describe("a note", () => {
	test("is taken once, or withdrawn once", () => {
		leaveNote(agentDir(), "a", "Plants");
		expect([takeNote(agentDir(), "a"), takeNote(agentDir(), "a")]).toEqual(["Plants", undefined]);
		leaveNote(agentDir(), "a", "Plants");
		expect([withdrawNote(agentDir(), "a"), withdrawNote(agentDir(), "a")]).toEqual([true, false]);
		expect(takeNote(agentDir(), "a")).toBeUndefined();
		expect(left()).toEqual([]);
	});

	test.each(["", "{", "[]", '{"name":5}'])("that is none of ours names nothing: %j", (text) => {
		put(join(noteFolder(agentDir()), "a.json"), text);
		expect(takeNote(agentDir(), "a")).toBeUndefined();
		expect(left()).toEqual([]);
	});

	test("for a session that has ended is swept with the next, and so is what its writer left", () => {
		const it = opened(talk());
		leaveNote(agentDir(), it.holder.instance, "Plants");
		const half = `a.json.${realProcesses().space}-999999999-5.ab1.tmp`;
		for (const name of ["b.json", half]) put(join(noteFolder(agentDir()), name), "half");
		leaveNote(agentDir(), it.holder.instance, "Plants");
		expect(left()).toEqual([`${it.holder.instance}.json`]);
	});
});

describe("a session that is open", () => {
	test("is told its name, which it writes once, as the user's", async () => {
		const it = opened(talk().name("Water").title("Water", "auto"));
		listening(it);
		expect(await tell("Plants")).toBe("taken");
		expect(it.manager.getSessionName()).toBe("Plants");
		expect(names()).toEqual(["Water", "Plants"]);
		expect(nameSource()).toEqual(["Plants", "manual"]);
		expect(left()).toEqual([]);
	});

	test("writes nothing if the user gave it the name already; a model's is written again as the user's", async () => {
		const it = opened(talk().title("Water", "auto").name("Water"));
		listening(it);
		expect(await tell("Water")).toBe("taken");
		expect([names(), nameSource()]).toEqual([
			["Water", "Water"],
			["Water", "manual"],
		]);
		const before = readFileSync(file(), "utf8");
		expect(await tell("Water")).toBe("taken");
		expect(readFileSync(file(), "utf8")).toBe(before);
	});

	test("in two processes is told to both, and the longer story stays the one that is opened next", async () => {
		const [one, two] = [opened(talk()), opened(talk())];
		two.manager.appendMessage({ role: "user", content: "and the flowers", timestamp: 1 });
		listening(one);
		listening(two);
		expect(await tell("Plants")).toBe("taken");
		await until(() => [one, two].every(({ manager }) => manager.getSessionName() === "Plants"), {
			what: "both",
		});
		const next = SessionManager.open(file());
		expect(next.getSessionName()).toBe("Plants");
		expect(JSON.stringify(next.buildSessionContext().messages)).toContain("and the flowers");
	});

	test("that does not answer is left alone; what it may be writing is not disturbed", async () => {
		const idle = opened(talk());
		expect(await tell("Plants")).toBe("not_taken");
		idle.holder.update("working", Date.now());
		expect(await tell("Plants")).toBe("at_work");
		expect([names(), left()]).toEqual([[], []]);
	});

	test("that cannot write the name says so by what is in the file", async () => {
		const it = opened(talk());
		const before = readFileSync(file(), "utf8");
		const full = () => {
			appendFileSync(file(), '{"type":"cust');
			throw new Error("ENOSPC");
		};
		listening(it, (name) => void takeName({ ...it, pi: { ...it.pi, appendEntry: full } }, name));
		expect(await tell("Plants")).toBe("not_written");
		expect(readFileSync(file(), "utf8").startsWith(before)).toBe(true);
		expect(it.manager.getSessionName()).toBeUndefined();
	});

	test("is none where nobody has it open", async () => {
		put(file(), talk().toString());
		expect(await tell("Plants")).toBe("not_taken");
	});
});

describe("watching for notes", () => {
	test("sees one that was left before it began", () => {
		const it = opened(talk());
		leaveNote(agentDir(), it.holder.instance, "Plants");
		listening(it);
		expect(it.manager.getSessionName()).toBe("Plants");
	});

	test("goes on in a folder that was removed and made again", async () => {
		const it = opened(talk());
		const watch = listening(it);
		for (const how of ["by itself", "at the latest with the next heartbeat"]) {
			rmSync(noteFolder(agentDir()), { recursive: true });
			if (how !== "by itself") watch.look();
			mkdirSync(noteFolder(agentDir()), { recursive: true });
			// Whoever leaves a note waits for a second.
			leaveNote(agentDir(), it.holder.instance, how);
			await until(() => it.manager.getSessionName() === how, { what: how, deadlineMs: 1_000 });
		}
	});

	test("is over when the session is", async () => {
		const it = opened(talk());
		const heard: string[] = [];
		const other = opened(talk());
		const watch = listening(it, (name) => heard.push(name));
		listening(other);
		watch.end();
		leaveNote(agentDir(), it.holder.instance, "Plants");
		leaveNote(agentDir(), other.holder.instance, "Flowers");
		await until(() => other.manager.getSessionName() === "Flowers", { what: "the other to hear" });
		expect(heard).toEqual([]);
	});
});
