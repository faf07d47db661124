import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { replaceFile, type WriteOutcome } from "../atomic-file.ts";
import { parseObject } from "../json.ts";
import type { SessionRecord } from "../recap/record.ts";
import { RECAP_ENTRY, readRecap } from "../recap/record-entry.ts";
import { partOf } from "../regular-file.ts";

/**
 * Notes on sessions whose files must not be written: those of other programs, and those that are open elsewhere, damaged or read-only. There
 * is one file for each session, with its newest note.
 */

/** A record has at most about 20 texts of 2,000 code units. */
const MAX_BYTES = 256 * 1024;

/** Keeps a record of a session outside the session's file. */
export function keepNote(agentDir: string, path: string, record: SessionRecord): WriteOutcome {
	// The record is not stored in the session, so it has no id there.
	return replaceFile(fileOf(agentDir, path), JSON.stringify({ path, record: { ...record, id: "" } }));
}

/** Returns the kept notes by the path of the session. Those of sessions that no longer exist are removed. */
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

/** Returns the kept note on the session in a file. */
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
