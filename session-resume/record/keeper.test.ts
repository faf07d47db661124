import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { describe, expect, test } from "vitest";
import { walkBranch } from "../../session-core/log/branch.ts";
import { useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { createRecordReader, hostSession } from "../../session-core/pi/commons.ts";
import { ENGLISH } from "../../session-core/recap/card-words.ts";
import { readSession } from "../../session-core/recap/read-session.ts";
import type { SessionRecord } from "../../session-core/recap/record.ts";
import { session } from "../../test/host/fixtures.ts";
import { Keeper, recordWhy } from "./keeper.ts";

const folder = useTemporaryFolder();

const PAST = () =>
	session({ cwd: folder() }).user("fix the date parser in src/parse.ts").edit("src/parse.ts", "a", "b");

function open(text = PAST().assistant("Done.").build()): SessionManager {
	const file = join(folder(), "session.jsonl");
	writeFileSync(file, text);
	return SessionManager.open(file, folder());
}

function keeperOf(
	manager: SessionManager,
	checkout: { head?: string; branch?: string } | undefined = undefined,
) {
	const host = hostSession({ sessionManager: manager, cwd: folder() });
	return new Keeper({
		pi: { appendEntry: (type, data) => void manager.appendCustomEntry(type, data) },
		host,
		minMessages: () => 2,
		prepared: createRecordReader({
			host,
			kind: "session",
			state: () => readSession(walkBranch(host.source), host.origin, host.cwd),
			repository: { last: checkout },
			words: () => ENGLISH,
		}).prepared,
		repository: { last: checkout },
		log: () => undefined,
	});
}

const stored = (manager: SessionManager): SessionRecord[] =>
	manager.getEntries().flatMap((entry) => (entry.type === "custom" ? [entry.data as SessionRecord] : []));

describe("the records of a session", () => {
	test("use the session's name as the headline, even if it was given after the last message", () => {
		const manager = open();
		const keeper = keeperOf(manager);
		keeper.keep({ cause: "end" });
		manager.appendSessionInfo("Date parser");
		expect(keeper.keep({ cause: "typed", force: true })).toMatchObject({
			recap: { headline: "Date parser" },
		});
		manager.appendSessionInfo("Dates");
		expect(keeper.keep({ cause: "typed", force: true })).toMatchObject({ recap: { headline: "Dates" } });
	});

	test("of a fork are the parent's until the fork has messages of its own", () => {
		const parent = open();
		keeperOf(parent).keep({ cause: "end" });
		const parentId = parent.getSessionId();
		parent.createBranchedSession(parent.getLeafId() ?? "");
		const keeper = keeperOf(parent);
		expect(parent.getSessionId()).not.toBe(parentId);
		expect(keeper.state()).toMatchObject({ existing: undefined, shown: { subject_id: parentId } });
		expect(keeper.keep({ cause: "end" })).toMatchObject({ ok: false, reason: "inherited" });
		parent.appendMessage({ role: "user", content: "and now differently", timestamp: 1 });
		expect(keeper.keep({ cause: "end" })).toMatchObject({
			ok: true,
			recap: { subject_id: parent.getSessionId() },
		});
	});

	test("keep the commit at which the work ended", () => {
		const manager = open();
		const first = keeperOf(manager, { head: "aaaaaaa" });
		first.keep({ cause: "end" });
		const later = keeperOf(manager, { head: "bbbbbbb" });
		const shown = later.state()?.shown;
		if (!shown) throw new Error("no state");
		later.put({ ...shown, headline: "Edited" }, { over: shown, cause: "typed" });
		expect(stored(manager).map(({ workspace }) => workspace?.git_head)).toEqual(["aaaaaaa", "aaaaaaa"]);
	});

	test("are checked again when they are stored, so a late answer replaces nothing", () => {
		const manager = open();
		const keeper = keeperOf(manager);
		const proposed = keeper.propose({ cause: "typed", wantsModel: true });
		if (!proposed.ok) throw new Error(proposed.reason);
		const { recap, existing } = proposed.prepared;
		const late: SessionRecord = {
			...recap,
			headline: "Late",
			generator: { type: "llm", provider: "p", model: "m" },
		};
		keeper.put(
			{ ...recap, headline: "Mine", generator: { type: "user_edited" } },
			{ over: existing, cause: "typed" },
		);
		expect(keeper.put(late, { over: existing, cause: "typed" })).toMatchObject({ reason: "edited" });
		manager.appendMessage({ role: "user", content: "now the lexer too", timestamp: 1 });
		expect(keeper.put(late, { over: existing, cause: "typed" })).toEqual({ ok: false, reason: "stale" });
		expect(stored(manager).map(({ headline }) => headline)).toEqual(["Mine"]);
	});

	test("at an earlier point of the tree are written on request, not automatically", () => {
		const manager = open();
		const keeper = keeperOf(manager);
		const first = manager.getEntries().find(({ type }) => type === "message");
		manager.branch(first?.id ?? "");
		expect(keeper.keep({ cause: "end" })).toMatchObject({ ok: false });
		expect(keeper.keep({ cause: "idle" })).toMatchObject({ ok: false, reason: "earlier_point" });
		expect(keeper.keep({ cause: "typed" })).toMatchObject({ ok: true });
	});
});

const READING = { stamp: "m1", hasTask: true, messages: 5, isInherited: false };
const RECORD: Pick<SessionRecord, "generator" | "created_at"> = {
	generator: { type: "heuristic" },
	created_at: 0,
};

test.each<[string, Parameters<typeof recordWhy>[0], RegExp]>([
	["nothing said", undefined, /^no recap is saved: this session has no messages$/],
	[
		"no request",
		{ reading: { ...READING, hasTask: false }, existing: undefined },
		/you have not sent a request/,
	],
	["too short", { reading: READING, existing: undefined }, /^no recap is saved yet: 5 of 8 messages/],
	[
		"a fork",
		{ reading: { ...READING, messages: 9, isInherited: true }, existing: undefined },
		/this fork has no new messages/,
	],
	[
		"due",
		{ reading: { ...READING, messages: 9 }, existing: undefined },
		/^no recap is saved yet: that happens when the session ends/,
	],
	["written", { reading: READING, existing: RECORD }, /^generated without a model on 1970-01-01T00:00Z$/],
	[
		"a person's",
		{ reading: READING, existing: { ...RECORD, generator: { type: "user_edited" } } },
		/^edited by you/,
	],
])("explains who generated a recap, or why there is none: %s", (_, prepared, expected) => {
	expect(recordWhy(prepared, 8)).toMatch(expected);
});
