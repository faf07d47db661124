import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type BranchSlice, recentCustomEntries } from "../log/index.ts";
import { namesIn, parseObject, partOf, replaceFile, type WriteOutcome } from "../text/files/index.ts";
import { RECAP_ENTRY, readRecap, type SessionRecord } from "./record.ts";

export function recordsOn(slice: Pick<BranchSlice, "entries">): SessionRecord[] {
	return recentCustomEntries(slice, RECAP_ENTRY).flatMap((entry) => readRecap(entry) ?? []);
}

export function ownRecord(records: readonly SessionRecord[], sessionId: string): SessionRecord | undefined {
	return records.find((recap) => recap.subject_id === sessionId);
}

/**
 * Returns the record to show for a session. For a fork without new messages, returns the record of the
 * original session.
 */
export function shownRecord(
	{ records, isInherited }: { records: readonly SessionRecord[]; isInherited: boolean },
	sessionId: string,
): SessionRecord | undefined {
	return ownRecord(records, sessionId) ?? (isInherited ? records[0] : undefined);
}

/** A record contains at most about 20 strings of 2,000 code units each. */
const MAX_BYTES = 256 * 1024;

/**
 * Stores a note for a session whose file must not be modified, such as another agent's log. The note replaces
 * any older note for the same session.
 */
export function keepNote(agentDir: string, path: string, record: SessionRecord): WriteOutcome {
	return replaceFile(fileOf(agentDir, path), JSON.stringify({ path, record: { ...record, id: "" } }));
}

/** Returns the stored notes, keyed by the path of the session file. Notes on deleted sessions are removed. */
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
