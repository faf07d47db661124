import { readdirSync, renameSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../session-core/json.ts";
import {
	isAbandoned,
	isTemporary,
	replaceFile,
	temporaryName,
	type WriteOutcome,
} from "../../session-core/store/atomic-file.ts";
import { liveFolder } from "../../session-core/store/lease.ts";
import { errorCode } from "../../session-core/store/regular-file.ts";
import { readHead } from "../../session-core/store/span.ts";

/**
 * A name for a session that is open elsewhere is left as a note for that opening of it: its process holds the name in memory, and
 * would not see one that was only written into the file. Exactly one of the two takes a note away: who opened the session, to
 * give it the name, or who left the note, to do without.
 */

const MAX_BYTES = 16 * 1024;

/** Where notes stand; apart from the leases, so that nobody is woken by those. */
export function noteFolder(agentDir: string): string {
	return join(liveFolder(agentDir), "names");
}

/** Name of the note for one opening of a session. */
export function noteName(instance: string): string {
	return `${instance}.json`;
}

/** Leaves a name for the session that was opened as `instance`; a later one takes the place of an earlier one. */
export function leaveNote(agentDir: string, instance: string, name: string): WriteOutcome {
	sweep(agentDir);
	return replaceFile(notePath(agentDir, instance), `${JSON.stringify({ name })}\n`);
}

/** Takes the name that was left for this opening; undefined if there is none. */
export function takeNote(agentDir: string, instance: string): string | undefined {
	const path = notePath(agentDir, instance);
	// Moved before it is read, or a note that comes in between would be removed unread.
	const taken = temporaryName(path);
	if (!isDone(() => renameSync(path, taken))) return undefined;
	const head = readHead(taken, MAX_BYTES);
	isDone(() => unlinkSync(taken));
	return head.ok ? nameIn(head.bytes.toString("utf8")) : undefined;
}

/** Takes a note back. False: it was taken. */
export function withdrawNote(agentDir: string, instance: string): boolean {
	return isDone(() => unlinkSync(notePath(agentDir, instance)));
}

/** Whether the note still waits. */
export function isWaiting(agentDir: string, instance: string): boolean {
	return namesIn(noteFolder(agentDir)).includes(noteName(instance));
}

function notePath(agentDir: string, instance: string): string {
	return join(noteFolder(agentDir), noteName(instance));
}

function nameIn(text: string): string | undefined {
	try {
		const note: unknown = JSON.parse(text);
		const name = isObject(note) ? note["name"] : undefined;
		return typeof name === "string" ? name : undefined;
	} catch {
		// Not a note of ours.
		return undefined;
	}
}

/** Removes notes for sessions that have ended, and what was being written by processes that have. */
function sweep(agentDir: string): void {
	const folder = noteFolder(agentDir);
	const open = new Set(namesIn(liveFolder(agentDir)));
	for (const name of namesIn(folder)) {
		const path = join(folder, name);
		const isLeft = isTemporary(name) ? isAbandoned(path) : name.endsWith(".json") && !open.has(name);
		if (isLeft) isDone(() => unlinkSync(path));
	}
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		// Nobody has opened a session, or left a note, yet.
		return [];
	}
}

/** False: it was not there any more. Where files cannot be moved or removed, nobody takes a note. */
function isDone(act: () => void): boolean {
	try {
		act();
		return true;
	} catch (error) {
		if (errorCode(error) === "") throw error;
		return false;
	}
}
