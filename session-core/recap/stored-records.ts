import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type BranchSlice, type Entry, recentCustomEntries } from "../log/index.ts";
import { isObject, parseObject, partOf, replaceFile, type WriteOutcome } from "../text/files/index.ts";
import { cleanLine, safeText } from "../text/index.ts";
import { type Note, RECAP_ENTRY, readRecap, type SessionRecord } from "./record.ts";

/** Returns the valid records on a branch, regardless of state, newest first. */
export function recordsOn(slice: Pick<BranchSlice, "entries">): SessionRecord[] {
	return recentCustomEntries(slice, RECAP_ENTRY).flatMap((entry) => readRecap(entry) ?? []);
}

/** Returns the session's own record of its current state: the newest one that is about this session. */
export function ownRecord(records: readonly SessionRecord[], sessionId: string): SessionRecord | undefined {
	return records.find((recap) => recap.subject_id === sessionId);
}

/** Returns the record to show for a session. A fork without its own messages is in its parent's state, so the parent's record is shown. */
export function shownRecord(
	{ records, isInherited }: { records: readonly SessionRecord[]; isInherited: boolean },
	sessionId: string,
): SessionRecord | undefined {
	return ownRecord(records, sessionId) ?? (isInherited ? records[0] : undefined);
}

/** The type of the custom entry in which earlier versions stored a model's sentences about one state. */
export const RECAP_TEXT_ENTRY = "session-suite:recap-text";

/** Returns the newest valid sentences among `entries` (newest first) about the state `stamp`, as a note. */
export function savedSentences(entries: readonly Entry[], stamp: string | undefined): Note | undefined {
	if (stamp === undefined) return undefined;
	for (const { data } of entries) {
		if (!isObject(data) || data["last_message_id"] !== stamp) continue;
		const { text, model: name } = data;
		if (typeof text !== "string" || text === "" || typeof name !== "string") continue;
		const [provider = "", ...model] = cleanLine(name).split("/");
		const generator = { type: "llm" as const, provider, model: model.join("/") };
		return { generator, text: cleanLine(safeText(text)), headline: undefined, bullets: [], next: undefined };
	}
	return undefined;
}

/**
 * Notes on sessions whose files must not be written: other programs' sessions, and sessions that are open elsewhere, damaged or read-only.
 * There is one file for each session, with its newest note.
 */

/** A record has at most about 20 texts of 2,000 code units. */
const MAX_BYTES = 256 * 1024;

/** Stores a session's record outside the session's file. */
export function keepNote(agentDir: string, path: string, record: SessionRecord): WriteOutcome {
	// The record is not stored in the session, so it has no id there.
	return replaceFile(fileOf(agentDir, path), JSON.stringify({ path, record: { ...record, id: "" } }));
}

/** Returns the kept notes, keyed by session path. Notes on sessions that no longer exist are removed. */
export function keptNotes(agentDir: string): ReadonlyMap<string, SessionRecord> {
	const notes = new Map<string, SessionRecord>();
	for (const name of namesIn(folderOf(agentDir))) {
		const file = join(folderOf(agentDir), name);
		const { path, record } = noteIn(file);
		if (typeof path !== "string" || file !== fileOf(agentDir, path)) continue;
		if (!existsSync(path)) rmSync(file, { force: true });
		else if (record) notes.set(path, record);
	}
	return notes;
}

export function keptNote(agentDir: string, path: string): SessionRecord | undefined {
	const note = noteIn(fileOf(agentDir, path));
	return note.path === path ? note.record : undefined;
}

function noteIn(file: string): { path?: unknown; record?: SessionRecord | undefined } {
	const { path, record: data } = parseObject(partOf(file, 0, MAX_BYTES).toString("utf8")) ?? {};
	return { path, record: readRecap({ type: "custom", customType: RECAP_ENTRY, data }) };
}

function folderOf(agentDir: string): string {
	return join(agentDir, "session-suite", "notes");
}

function fileOf(agentDir: string, path: string): string {
	return join(folderOf(agentDir), `${createHash("sha256").update(path).digest("hex").slice(0, 40)}.json`);
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		// No note has been kept yet, or the folder cannot be read.
		return [];
	}
}
