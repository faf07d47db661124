import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { describe, expect, test } from "vitest";
import { session } from "../../test/host/fixtures.ts";
import { useTemporaryFolder } from "../log/session.test-support.ts";
import { ENGLISH } from "../recap/card-words.ts";
import { RECAP_ENTRY, type SessionRecord, withHint } from "../recap/record.ts";
import { safeSessionId } from "../text/safe.ts";
import { hostSession, SessionRecords } from "./session-records.ts";

const folder = useTemporaryFolder();

const PAST = (id?: string) =>
	session({ cwd: folder(), ...(id && { id }) })
		.user("fix the date parser in src/parse.ts")
		.edit("src/parse.ts", "a", "b");

function open(text = PAST().assistant("Done.").build()): SessionManager {
	const file = join(folder(), "session.jsonl");
	writeFileSync(file, text);
	return SessionManager.open(file, folder());
}

function recordsOf(
	manager: SessionManager,
	checkout: { head?: string; branch?: string } | undefined = undefined,
	log: (event: string) => void = () => undefined,
	words = () => ENGLISH,
) {
	return new SessionRecords({
		host: hostSession({ sessionManager: manager, cwd: folder() }),
		repository: { last: checkout },
		words,
		log,
		append: (record) => void manager.appendCustomEntry(RECAP_ENTRY, record),
		minMessages: () => 2,
	});
}

const stored = (manager: SessionManager): SessionRecord[] =>
	manager.getEntries().flatMap((entry) => (entry.type === "custom" ? [entry.data as SessionRecord] : []));

function adoptNote(records: SessionRecords, headline: string): void {
	const reading = records.reading();
	if (!reading) throw new Error("no state");
	const generator = { type: "llm", provider: "p", model: "m" } as const;
	records.adopt(reading, { generator, text: "A note.", headline, bullets: [], next: [] });
}

describe("the records of a session", () => {
	test("of a fork are the parent's until the fork has messages of its own", () => {
		const parent = open();
		recordsOf(parent).keep({ cause: "end" });
		const parentId = parent.getSessionId();
		parent.createBranchedSession(parent.getLeafId() ?? "");
		const records = recordsOf(parent);
		expect(parent.getSessionId()).not.toBe(parentId);
		expect(records.prepared()).toMatchObject({
			reading: { existing: undefined },
			shown: { subject_id: parentId },
		});
		expect(records.keep({ cause: "end" })).toMatchObject({ ok: false, reason: "inherited" });
		parent.appendMessage({ role: "user", content: "and now differently", timestamp: 1 });
		expect(records.keep({ cause: "end" })).toMatchObject({
			ok: true,
			record: { subject_id: parent.getSessionId() },
		});
	});

	test("of a fork include its own note, which is shown instead of the parent's edit", () => {
		const manager = open();
		const generator = { type: "user_edited" } as const;
		recordsOf(manager).keep({ cause: "typed" }, (made) => ({ ...made, generator, headline: "The parent's" }));
		manager.createBranchedSession(manager.getLeafId() ?? "");
		const records = recordsOf(manager);
		expect(records.prepared()?.shown.headline).toBe("The parent's");
		adoptNote(records, "The fork's");
		expect(records.prepared()?.shown.headline).toBe("The fork's");
	});

	test("of a fork do not repeat that the parent is always forked, but the parent's later records do", () => {
		const manager = open();
		const parent = recordsOf(manager);
		const { shown } = parent.prepared() ?? {};
		if (!shown) throw new Error("no state");
		parent.put(withHint(shown, { branch_on_resume: true }), undefined, "typed");
		manager.appendMessage({ role: "user", content: "and the time zone", timestamp: 1 });
		expect(parent.keep({ cause: "end" })).toMatchObject({
			record: { resume_hint: { branch_on_resume: true } },
		});
		manager.createBranchedSession(manager.getLeafId() ?? "");
		manager.appendMessage({ role: "user", content: "and now differently", timestamp: 1 });
		const kept = recordsOf(manager).keep({ cause: "end" });
		expect(kept).toMatchObject({ ok: true, record: { subject_id: manager.getSessionId() } });
		expect(kept).not.toHaveProperty("record.resume_hint.branch_on_resume");
	});

	test("keep the commit at which the work ended", () => {
		const manager = open();
		const first = recordsOf(manager, { head: "aaaaaaa" });
		first.keep({ cause: "end" });
		const later = recordsOf(manager, { head: "bbbbbbb" });
		const shown = later.prepared()?.shown;
		if (!shown) throw new Error("no state");
		later.put({ ...shown, headline: "Edited" }, shown, "typed");
		expect(stored(manager).map(({ workspace }) => workspace?.git_head)).toEqual(["aaaaaaa", "aaaaaaa"]);
	});

	test("are checked again when they are stored, so a late answer replaces nothing", () => {
		const manager = open();
		const records = recordsOf(manager);
		const proposed = records.propose({ cause: "typed" });
		if (!proposed.ok) throw new Error(proposed.reason);
		const { offline, reading } = proposed.prepared;
		const { existing } = reading;
		const late: SessionRecord = {
			...offline,
			headline: "Late",
			generator: { type: "llm", provider: "p", model: "m" },
		};
		records.put({ ...offline, headline: "Mine", generator: { type: "user_edited" } }, existing, "typed");
		expect(records.put(late, existing, "typed")).toMatchObject({ reason: "edited" });
		manager.appendMessage({ role: "user", content: "now the lexer too", timestamp: 1 });
		expect(records.put(late, existing, "typed")).toEqual({ ok: false, reason: "stale" });
		expect(stored(manager).map(({ headline }) => headline)).toEqual(["Mine"]);
	});

	test("are shown instead of an earlier note once they are stored", () => {
		const records = recordsOf(open());
		adoptNote(records, "Noted");
		expect(records.prepared()?.shown.headline).toBe("Noted");
		const kept = records.keep({ cause: "typed", replaces: "all" });
		expect(kept.ok && kept.record.generator.type).toBe("heuristic");
		expect(records.prepared()?.shown).toEqual(kept.ok && kept.record);
	});

	test("are shown instead of an earlier note of the same second", () => {
		const records = recordsOf(open());
		adoptNote(records, "Older");
		adoptNote(records, "Newer");
		expect(records.prepared()?.shown.headline).toBe("Newer");
	});

	test("are shown again when the user returns to their state", () => {
		const manager = open();
		const records = recordsOf(manager);
		const leaf = manager.getLeafId() ?? "";
		adoptNote(records, "Earlier");
		manager.appendMessage({ role: "user", content: "and the time zone", timestamp: 1 });
		adoptNote(records, "Later");
		manager.branch(leaf);
		expect(records.prepared()?.shown.headline).toBe("Earlier");
	});

	test.each([
		["contains spaces", "my session"],
		["is longer than 64 characters", "a".repeat(70)],
		["contains a control character", "a\u0007b"],
	])("belong to the session even if its id %s", (_, id) => {
		const manager = open(PAST(id).assistant("Done.").build());
		const edited = { headline: "Mine", generator: { type: "user_edited" as const } };
		recordsOf(manager).keep({ cause: "typed" }, (made) =>
			withHint({ ...made, ...edited }, { branch_on_resume: true }),
		);
		const [own] = stored(manager);
		expect(own?.subject_id).toBe(safeSessionId(id));
		// Older versions stored the id unchanged.
		manager.appendCustomEntry(RECAP_ENTRY, { ...own, subject_id: id });
		const records = recordsOf(manager);
		expect(records.keep({ cause: "end" })).toMatchObject({ ok: false, reason: "edited" });
		manager.appendMessage({ role: "user", content: "and the time zone", timestamp: 1 });
		expect(records.keep({ cause: "end" })).toMatchObject({
			record: { resume_hint: { branch_on_resume: true } },
		});
	});

	test("at an earlier point of the tree are written on request, not automatically", () => {
		const manager = open();
		const records = recordsOf(manager);
		const first = manager.getEntries().find(({ type }) => type === "message");
		manager.branch(first?.id ?? "");
		expect(records.keep({ cause: "end" })).toMatchObject({ ok: false });
		expect(records.keep({ cause: "idle" })).toMatchObject({ ok: false, reason: "earlier_point" });
		expect(records.keep({ cause: "typed" })).toMatchObject({ ok: true });
	});
});

test("a state is read once, and again when the conversation or the session's name has changed", () => {
	const manager = open();
	const records = recordsOf(manager);
	const first = records.reading();
	expect(first).toMatchObject({ messages: 4, hasTask: true });
	expect(records.reading()).toBe(first);
	manager.appendMessage({ role: "user", content: "And the time zone?", timestamp: 0 });
	expect(records.reading()).toMatchObject({ messages: 5 });
	manager.appendSessionInfo("Invalid days");
	expect(records.keep({ cause: "typed" })).toMatchObject({ record: { headline: "Invalid days" } });
});

const saidBy = (records: SessionRecords, isIdle = true) => {
	const said: string[] = [];
	expect(records.stateFor("recap", { isIdle: () => isIdle }, (text) => void said.push(text))).toBeUndefined();
	return said.join("\n");
};

test("while the agent is working, a command has no state", () => {
	expect(saidBy(recordsOf(open()), false)).toMatch(/^recap: the agent is still working/);
});

test("a session that cannot be read is logged, and a command says why it has nothing to recap", () => {
	const manager = open();
	const logged: string[] = [];
	const records = recordsOf(manager, undefined, (event) => void logged.push(event));
	manager.getEntry = () => {
		throw new Error("the prompt of the user");
	};
	manager.getLeafEntry = manager.getEntry as typeof manager.getLeafEntry;
	expect(records.reading()).toBeUndefined();
	expect(logged).toEqual(["read.failed"]);
	expect(records.prepared()).toBeUndefined();
	expect(saidBy(records)).toMatch(
		/^recap: an unexpected error occurred \(Error in session-records\.test\.ts:\d+\)/,
	);
});

test("an error in making a record is an outcome too, because timers also make records", () => {
	const records = recordsOf(open(), undefined, undefined, () => {
		throw new Error("no words");
	});
	expect(records.prepared()).toBeUndefined();
	expect(saidBy(records)).toMatch(/\(Error in session-records\.test\.ts:\d+\)/);
});
