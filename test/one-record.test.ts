import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { put, SessionText, useTemporaryFolder } from "../session-core/log/session.test-support.ts";
import { hostSession, SessionRecords } from "../session-core/pi/session-records.ts";
import { ENGLISH } from "../session-core/recap/card-words.ts";
import { recapOf } from "../session-core/recap/record.test-support.ts";
import { RECAP_ENTRY, type SessionRecord } from "../session-core/recap/record.ts";
import { keepNote, keptNote } from "../session-core/recap/records.ts";
import { addRecord } from "../session-core/sessions/add-record.ts";
import { describeSession } from "../session-core/sessions/describe.ts";
import { projectFolder, sessionsRoot } from "../session-core/sessions/folders.ts";
import { listSessions } from "../session-core/sessions/listing.ts";
import { sessionText } from "../session-core/sessions/search-report.ts";
import { type SessionSummary, sessionAt } from "../session-core/sessions/summary.ts";
import { viewOf } from "../session-core/sessions/view.ts";

const agentDir = useTemporaryFolder();
const cwd = "/code/app";
const deps = { now: Date.now, words: () => ENGLISH };
const NOTE = { type: "llm", provider: "acme", model: "m-1" } as const;
const EDITED = { type: "user_edited" } as const;

/** Writes a session with these records of its last message, and returns the session's path. */
function place(...records: Partial<SessionRecord>[]): string {
	const text = new SessionText({ cwd }).user("Reject invalid days").assistant("Rejected.");
	for (const record of records) text.custom(RECAP_ENTRY, recordOf(text.ids[1], record));
	return put(join(projectFolder(sessionsRoot(agentDir()), cwd), "2026_s-1.jsonl"), String(text));
}

const recordOf = (last_message_id = "e0000001", more: Partial<SessionRecord> = {}) =>
	recapOf({ subject_id: "s-1", last_message_id, created_at: 200, headline: "In the file", ...more });

const noteBeside = (path: string, more: Partial<SessionRecord> = {}) =>
	keepNote(agentDir(), path, recordOf(undefined, { generator: NOTE, headline: "The note", ...more }));

function recordsAt(path: string): SessionRecords {
	const manager = SessionManager.open(path, cwd);
	return new SessionRecords({
		host: hostSession({ sessionManager: manager, cwd }),
		repository: { last: undefined },
		append: (record) => void manager.appendCustomEntry(RECAP_ENTRY, record),
		log: () => undefined,
		words: () => ENGLISH,
		minMessages: () => 2,
		keptNote: () => keptNote(agentDir(), path),
	});
}

async function rowAt(path: string): Promise<SessionSummary> {
	const row = await sessionAt(path, agentDir());
	if (!row) throw new Error("the session was not read");
	return row;
}

/** The headline of the record that each surface shows. */
async function shownAt(path: string, records = recordsAt(path)): Promise<Record<string, unknown>> {
	const row = await rowAt(path);
	const listed = await listSessions({ agentDir: agentDir() });
	const described = await describeSession(row, deps);
	const read = await sessionText(row, Date.now());
	return {
		"in pi": records.prepared()?.shown.headline,
		"by its path": viewOf(row).record?.headline,
		"in a list": listed.map((one) => viewOf(one).record?.headline).join(),
		"as a card": described.ok && described.record?.headline,
		"in a search result": read.ok && /In the file|The note|Reject invalid days$/m.exec(read.text)?.[0],
	};
}

const everywhere = (headline: string) => ({
	"in pi": headline,
	"by its path": headline,
	"in a list": headline,
	"as a card": headline,
	"in a search result": headline,
});

test.each<[string, Partial<SessionRecord>, Partial<SessionRecord>, string]>([
	["the user's edit rather than a later note", { generator: EDITED }, { created_at: 300 }, "In the file"],
	["a model's record rather than an earlier note", { generator: NOTE }, { created_at: 100 }, "In the file"],
	["a note rather than an earlier model's record", { generator: NOTE }, { created_at: 300 }, "The note"],
	["a note rather than an automatic record", {}, { created_at: 100 }, "The note"],
	[
		"a fork's note rather than an edit that it inherited",
		{ generator: EDITED, subject_id: "s-0" },
		{},
		"The note",
	],
])("every surface shows %s", async (_, stored, note, expected) => {
	const path = place(stored);
	noteBeside(path, note);
	expect(await shownAt(path)).toEqual(everywhere(expected));
});

test("a note that is stored outside the session's file counts as saved, and a recap that was just made does not", async () => {
	const path = place();
	expect(await describeSession(await rowAt(path), deps)).toMatchObject({ stored: false });
	noteBeside(path);
	const described = await describeSession(await rowAt(path), deps, "working");
	const { next_actions } = recordOf();
	expect(described).toMatchObject({ stored: true, record: { headline: "The note", next_actions } });
});

const HEADLINE = "Reject invalid days";

test("every surface shows a recap that the user requested in pi rather than an earlier note", async () => {
	const path = place();
	noteBeside(path);
	const records = recordsAt(path);
	expect(records.prepared()?.shown.headline).toBe("The note");
	expect(records.keep({ cause: "typed" })).toMatchObject({ ok: true });
	expect(await shownAt(path, records)).toEqual(everywhere(HEADLINE));
	noteBeside(path, { created_at: Date.now() / 1_000 + 60 });
	expect(await shownAt(path)).toEqual(everywhere("The note"));
});

test("every surface shows a recap that the user requested in the shell rather than an earlier note", async () => {
	const path = place();
	noteBeside(path);
	const added = { ...deps, agentDir: agentDir(), log: () => undefined, checkout: async () => undefined };
	expect(await addRecord(await rowAt(path), {}, added)).toMatchObject({ ok: true });
	expect(await shownAt(path)).toEqual(everywhere(HEADLINE));
});

test("every surface shows a note rather than the recap that pi saves by itself when the session ends", async () => {
	const path = place();
	noteBeside(path);
	const records = recordsAt(path);
	expect(records.keep({ cause: "end" })).toMatchObject({ ok: true });
	expect(await shownAt(path, records)).toEqual(everywhere("The note"));
});
