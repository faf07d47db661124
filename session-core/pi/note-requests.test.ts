import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { put, useTemporaryFolder } from "../log/session.test-support.ts";
import { ENGLISH } from "../recap/card-words.ts";
import type { Prepared } from "../recap/make-record.ts";
import { RECAP_ENTRY, type SessionRecord } from "../recap/record.ts";
import { projectInstructions } from "./commons.ts";
import { modelOf } from "./model/model.test-support.ts";
import type { SideCallResult } from "./model/side-call.ts";
import { NoteRequests } from "./note-requests.ts";
import { hostSession, SessionRecords } from "./session-records.ts";

const folder = useTemporaryFolder();

/** Note requests for a session in memory. A call to the model ends when the test answers it. */
function opened() {
	const manager = SessionManager.inMemory(folder());
	const ctx = { sessionManager: manager, cwd: folder() };
	const log = () => undefined;
	const repository = { last: undefined, refresh: async () => undefined };
	const append = (record: SessionRecord) => void manager.appendCustomEntry(RECAP_ENTRY, record);
	const records = new SessionRecords({
		...{ host: hostSession(ctx), repository, log, append },
		words: () => ENGLISH,
		minMessages: () => 0,
	});
	const calls: { signal: AbortSignal; answer(text: string): void }[] = [];
	const call = ({ signal }: { signal: AbortSignal }) =>
		new Promise<SideCallResult>((resolve) => {
			const usage = { input: 0, output: 0, cost: 0 };
			calls.push({ signal, answer: (text) => resolve({ ok: true, text, usage }) });
			signal.addEventListener("abort", () => resolve({ ok: false, reason: "aborted", usage }));
		});
	const notes = new NoteRequests({
		...{ language: undefined, records, repository, log },
		projectContext: () => undefined,
		isStored: true,
		over: new AbortController().signal,
		ports: { call, budget: { reserve: () => ({ ok: true, settle: log }) }, level: () => "off" },
		ended: log,
	});
	const say = (content: string) => {
		manager.appendMessage({ role: "user", content, timestamp: 0 });
		return records.prepared() as Prepared;
	};
	/** Starts a request, and waits until the model has been called. Returns the promise of the answer. */
	const ask = async (state: Prepared, more: Partial<Parameters<NoteRequests["ask"]>[1]> = {}) => {
		const candidates = [{ model: modelOf(), source: "active model" as const }];
		const answer = notes.ask(state, { by: "auto", cause: "note", candidates, ...more });
		await new Promise(setImmediate);
		return { answer };
	};
	const stored = () =>
		manager.getEntries().flatMap((entry) => (entry.type === "custom" ? [entry.data as SessionRecord] : []));
	return { calls, notes, records, say, ask, stored };
}

const NOTE = "<recap>Rejecting invalid days in the parser.</recap>";

test("a state is requested once: a second request joins the first, and the note is stored for both", async () => {
	const { calls, say, ask, stored, records } = opened();
	const state = say("Make the parser reject invalid days.");
	const asked = [await ask(state), await ask(state, { by: "typed", cause: "typed" })];
	calls[0]?.answer(NOTE);
	expect(await Promise.all(asked.map(({ answer }) => answer))).toMatchObject([
		{ kept: { ok: true } },
		{ kept: { ok: true } },
	]);
	expect(calls).toHaveLength(1);
	expect(stored()).toMatchObject([{ text: "Rejecting invalid days in the parser." }]);
	expect(records.prepared()?.shown).toEqual(stored()[0]);
});

test("a request about another state aborts the one in progress, whose answer is never used", async () => {
	const { calls, notes, say, ask, stored } = opened();
	const first = await ask(say("Make the parser reject invalid days."));
	const second = await ask(say("And the time zone?"));
	expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false]);
	expect(await first.answer).toBeUndefined();
	calls[1]?.answer("no tags");
	expect(await second.answer).toMatchObject({ ok: false, reason: "unusable" });
	expect(notes).toMatchObject({ isAsking: false, last: { failure: { reason: "unusable" } } });
	expect(stored()).toEqual([]);
});

test("hiding the recap aborts its request, unless a typed command also waits for the answer", async () => {
	const { calls, notes, say, ask } = opened();
	const state = say("Make the parser reject invalid days.");
	await ask(state);
	notes.drop("note");
	await ask(state);
	await ask(state, { by: "typed", cause: "typed" });
	await ask(state, { by: "typed" });
	notes.drop("note");
	expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false]);
});

test.each([
	["is kept", false, ["Mine"]],
	["is replaced if the user has requested that", true, ["Mine", "Make the parser reject invalid days"]],
])("a record that a person has edited %s", async (_, isForced, headlines) => {
	const { calls, records, say, ask, stored } = opened();
	const { offline } = say("Make the parser reject invalid days.");
	records.put({ ...offline, headline: "Mine", generator: { type: "user_edited" } }, undefined, "typed");
	const state = records.prepared() as Prepared;
	const { answer } = await ask(state, isForced ? { replaces: state.reading.existing } : {});
	calls[0]?.answer(NOTE);
	expect(await answer).toMatchObject({ ok: true, kept: { ok: isForced } });
	expect(stored().map(({ headline }) => headline)).toEqual(headlines);
});

const contextOf = (instructions: string) => {
	put(join(folder(), "project", "AGENTS.md"), instructions);
	return projectInstructions(join(folder(), "project"), join(folder(), "agent"));
};

test("sends the first 2,000 characters of a project's instructions, without splitting a character", () => {
	expect(contextOf("Use tabs.\n")).toBe("Use tabs.");
	expect(contextOf("Use tabs. ".repeat(300))).toBe("Use tabs. ".repeat(200));
	expect(contextOf(`${"x".repeat(1_999)}🎉 and more`)?.isWellFormed()).toBe(true);
});
