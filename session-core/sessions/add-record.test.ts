import { appendFileSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { checkSession } from "../log/check-session.ts";
import { put, SessionText, useTemporaryFolder } from "../log/session.test-support.ts";
import { ENGLISH } from "../recap/card-words.ts";
import type { Note, SessionRecord } from "../recap/record.ts";
import { keptNote } from "../recap/records.ts";
import { type AddRecordDeps, addNote, addRecord } from "./add-record.ts";
import { LeaseHolder } from "./live/lease-files.ts";
import { summarize } from "./summary.ts";

const folder = useTemporaryFolder();
const LAST_WORK = new Date("2026-03-01T10:00:00Z");
const SOUND = new SessionText({ id: "s-9" }).user("Fix the date parser").assistant("Fixed it.").toString();
let path = "";
beforeEach(() => {
	path = put(join(folder(), "one.jsonl"), SOUND);
	utimesSync(path, LAST_WORK, LAST_WORK);
});

const summary = () => {
	const looked = summarize(path);
	if (!looked.ok) throw new Error(looked.detail);
	return looked.record.summary;
};
const deps = (more: Partial<AddRecordDeps> = {}): AddRecordDeps => ({
	agentDir: join(folder(), "agent"),
	now: Date.now,
	checkout: async () => ({ head: "1a2b3c4", branch: "main" }),
	words: () => ENGLISH,
	log: () => undefined,
	...more,
});
const add = (more: Partial<AddRecordDeps> = {}) => addRecord(summary(), { force: false }, deps(more));

const NOTE: Note = {
	generator: { type: "llm", provider: "p", model: "m" },
	headline: "Date parser fixed",
	text: "It is fixed.",
	bullets: [],
	next: undefined,
};

describe("a record that is written from outside the host", () => {
	test("is appended below the last entry, belongs to the session, and is found by its listing", async () => {
		const added = await add();
		expect(added).toMatchObject({
			ok: true,
			recap: {
				kind: "session",
				subject_id: "s-9",
				generator: { type: "heuristic" },
				last_message_id: "e0000001",
				workspace: { cwd: "/code/app", git_head: "1a2b3c4", git_branch: "main" },
			},
		});
		const text = readFileSync(path, "utf8");
		expect(text.startsWith(SOUND)).toBe(true);
		expect(JSON.parse(text.slice(SOUND.length))).toMatchObject({ type: "custom", parentId: "e0000001" });
		expect(await checkSession(path)).toEqual({ ok: true, sound: true });
		expect(statSync(path).mtimeMs).toBe(LAST_WORK.getTime());
		expect(added.ok && summary().recap?.id).toBe(added.ok && added.recap.id);
	});

	test("with a note replaces any record except one that a person edited", async () => {
		const { generator } = NOTE;
		const addNoted = () => addRecord(summary(), { note: NOTE }, deps());
		await add();
		expect(await addNoted()).toMatchObject({ ok: true, recap: { generator, text: "It is fixed." } });
		expect(await addNoted()).toMatchObject({ ok: true });
		const edit = (made: SessionRecord) => ({ ...made, generator: { type: "user_edited" as const } });
		await addRecord(summary(), { force: true, edit }, deps());
		expect(await addNoted()).toMatchObject({ reason: "edited" });
	});

	test("is refused if the session has no request or its file is damaged, and the file is not changed", async () => {
		put(path, new SessionText().toString());
		expect(await add()).toMatchObject({ ok: false, reason: "nothing" });
		for (const damaged of [`\0\0${SOUND}`, `${SOUND}{"type":"mess`, SOUND.replace("e0000000", "e0000009")]) {
			put(path, damaged);
			expect(await add()).toMatchObject({ ok: false, reason: "damaged" });
			expect(readFileSync(path, "utf8")).toBe(damaged);
		}
	});

	test("is refused if the session was continued in the meantime", async () => {
		const words = () => {
			appendFileSync(path, `${JSON.stringify({ type: "custom", id: "x", parentId: "e0000001" })}\n`);
			return ENGLISH;
		};
		expect(await add({ words })).toMatchObject({ ok: false, reason: "moved_on" });
		expect(readFileSync(path, "utf8")).not.toContain("session-suite:recap");
	});
});

test("a note on a session that is open elsewhere is kept outside the session's file, but never over an edit", async () => {
	const { agentDir } = deps();
	const note = (stamp = "e0000001") => addNote(summary(), { note: NOTE, stamp }, deps());
	const holder = new LeaseHolder(agentDir, { sessionId: "s-9", sessionFile: path }, "idle", Date.now());
	holder.claim();
	expect(await note("e0000000")).toMatchObject({ ok: false, reason: "moved_on" });
	expect(keptNote(agentDir, path)).toBeUndefined();
	expect(await note()).toMatchObject({ ok: true });
	expect(keptNote(agentDir, path)).toMatchObject({ id: "", text: "It is fixed." });
	expect(readFileSync(path, "utf8")).toBe(SOUND);
	holder.release();
	const edit = (made: SessionRecord) => ({ ...made, generator: { type: "user_edited" as const } });
	await addRecord(summary(), { edit }, deps());
	expect(await note()).toMatchObject({ ok: false, reason: "edited" });
});

test("a note is not saved if the session receives a message while the note is being saved", async () => {
	const { message } = JSON.parse(SOUND.split("\n")[1] ?? "");
	const line = { type: "message", id: "e0000002", parentId: "e0000001", message };
	const checkout = async () => void appendFileSync(path, `${JSON.stringify(line)}\n`);
	const saving = deps({ checkout });
	const added = await addNote(summary(), { note: NOTE, stamp: "e0000001" }, saving);
	expect(added).toMatchObject({ ok: false, reason: "moved_on" });
	expect(keptNote(saving.agentDir, path)).toBeUndefined();
	expect(readFileSync(path, "utf8")).not.toContain("session-suite:recap");
});
