import { fstatSync, ftruncateSync, lstatSync, writeSync } from "node:fs";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { isObject } from "../json.ts";
import {
	type Appended,
	appendFailure,
	closeRegular,
	diskFull,
	openRegular,
	type RegularFile,
	readSpan,
} from "../regular-file.ts";
import { newEntryId } from "./entries.ts";
import type { Entry } from "./entry.ts";
import { fileEnd, fileLeafId, idOf } from "./leaf.ts";
import { nameRecords } from "./name-records.ts";
import { entriesSince } from "./names-in-file.ts";

/**
 * Contains all code that appends to session files. Entries are appended through the host to the session that the host has open, and
 * directly to the files of all other sessions. A failed append leaves nothing in the file, because otherwise the next line would be joined
 * to the incomplete line.
 */

/** The methods of the host's session manager that are needed to append entries. */
export interface AppendTarget {
	getSessionFile(): string | undefined;
	getLeafId(): string | null;
	getLeafEntry(): Entry | undefined;
	getEntry(id: string): Entry | undefined;
	/** Moves the leaf to an entry. Like `resetLeaf`, this method is public in the host's class, but not part of its API for extensions. */
	branch(entryId: string): void;
	/** Moves the leaf to the position before the first entry. */
	resetLeaf(): void;
	/** Appends below the leaf. */
	appendCustomEntry(customType: string, data: unknown): string;
}

/** Returns the host's session manager as a target for appending. */
export function appendTarget(manager: ExtensionContext["sessionManager"]): AppendTarget {
	// The types that the host provides to extensions declare only part of the class.
	return manager as unknown as AppendTarget;
}

/**
 * Why an entry was not appended. `not_saved`: the host has not written the file yet. `moved_on`: another process has written to the file in
 * the meantime, and our entry would hide what it wrote. `earlier_point`: the user moved to an earlier point in the tree (`/tree`) and has
 * not sent a prompt from there. `unreadable`: the last line of the file cannot be read. `unwritable`: the append failed and was undone.
 */
export type AppendRefusal = "not_saved" | "moved_on" | "earlier_point" | "unreadable" | "unwritable";

export type AppendOutcome = { ok: true } | { ok: false; reason: AppendRefusal; detail: string };

/**
 * Appends an entry through the host, or changes nothing. Without this function, a failed append would have two effects: hosts before 1.5
 * keep the entry in memory, so the next message is appended below an entry that the file does not contain; and every host leaves an
 * incomplete line in the file, to which the next line would be joined.
 */
export function appendCarefully(
	target: AppendTarget,
	append: () => void,
	{ earlierPoint = "refuse" }: { earlierPoint?: "refuse" | "write" } = {},
): AppendOutcome {
	const file = target.getSessionFile();
	if (file === undefined) {
		// The session is kept only in memory, so nothing can fail.
		append();
		return { ok: true };
	}
	if (!isThere(file)) return refused(hasReply(target) ? "unreadable" : "not_saved");
	const leaf = target.getLeafId();
	const leafInFile = fileLeafId(file);
	if (leafInFile === undefined) return refused("unreadable");
	const known = lastKnown(file, leafInFile, target);
	if (known === undefined) return refused("moved_on");
	const isEnd = known === leaf;
	if (leaf === null || (!isEnd && earlierPoint === "refuse")) return refused("earlier_point");
	try {
		appendOrUndo(target, append);
		return { ok: true };
	} catch (error) {
		return refused("unwritable", error instanceof Error ? error.message : String(error));
	}
}

/** Appends through the host. If that fails, restores the previous state in memory and in the file, and rethrows the host's error. */
export function appendOrUndo(target: AppendTarget, append: () => void): void {
	const file = target.getSessionFile();
	const end = file === undefined ? undefined : fileEnd(file);
	if (file !== undefined && !end) throw new Error("the session's file cannot be read");
	if (end?.isTorn) throw new Error("the last line of the session's file is incomplete");
	// If the host appended to a deleted or emptied file, the file would have no header, and no host could open it.
	if (end?.size === 0 && hasReply(target)) throw new Error("it was deleted or emptied");
	const leaf = target.getLeafId();
	const isAtEnd = end?.leafId === leaf;
	try {
		append();
		if (file !== undefined && end?.leafId !== undefined) reopenAt(end.leafId, target, file);
	} catch (error) {
		if (file === undefined || end === undefined) {
			restoreLeaf(target, leaf);
			throw error;
		}
		// The host failed only after it had written the whole entry, so the entry is kept.
		if (isAtEnd && target.getLeafId() !== leaf && fileLeafId(file) === target.getLeafId()) return;
		restoreLeaf(target, leaf);
		cutOff(file, end.size, (written) => isOurs(written, target));
		throw error;
	}
}

/**
 * The type of the entry that marks the point at which a session reopens. This entry is needed because the host uses the entry on the file's
 * last line as the leaf.
 */
export const REOPEN_ENTRY = "session-suite:reopen";

/**
 * Restores the point at which a session opens. If our entry was appended at an earlier point in the session tree (`/tree`), the session
 * would open there and hide all later entries. To prevent this, a marker is written below the entry that was previously the last one in the
 * file.
 */
function reopenAt(last: string, target: AppendTarget, file: string): void {
	const written = target.getLeafEntry();
	// No marker is needed if our entry is below the previously last entry, if another process wrote that entry, or if our entry is not in
	// the file yet.
	if (!written || written.parentId === last || target.getEntry(last) === undefined) return;
	if (fileLeafId(file) !== written.id) return;
	target.branch(last);
	target.appendCustomEntry(REOPEN_ENTRY, {});
	target.branch(written.id);
}

/** Number of bytes at the end of the file that are searched for session names written by another process. */
const NAMES_BYTES = 64 * 1024;

/**
 * Returns the id of the last entry that this process knows of in the file, provided that only name entries follow it. Name entries are
 * allowed because another process may name a session without continuing it. Returns undefined if any other entry follows.
 */
function lastKnown(file: string, leafInFile: string, target: AppendTarget): string | undefined {
	if (target.getEntry(leafInFile)) return leafInFile;
	const size = fileEnd(file)?.size ?? 0;
	const names = new Map(
		nameRecords(entriesSince(file, Math.max(0, size - NAMES_BYTES))).map(({ id, parentId }) => [
			id,
			parentId,
		]),
	);
	let id: string | undefined = leafInFile;
	for (let steps = names.size; steps >= 0 && id !== undefined; steps--) {
		if (target.getEntry(id)) return id;
		id = names.get(id);
	}
	return undefined;
}

/** Whether the session contains a reply. The host creates the session's file at the first reply. */
function hasReply(target: AppendTarget): boolean {
	let entry = target.getLeafEntry();
	while (entry) {
		const { type, message } = entry;
		if (type === "message" && isObject(message) && message["role"] === "assistant") return true;
		entry = typeof entry.parentId === "string" ? target.getEntry(entry.parentId) : undefined;
	}
	return false;
}

function refused(reason: AppendRefusal, detail = ""): AppendOutcome {
	return { ok: false, reason, detail };
}

function isThere(file: string): boolean {
	try {
		return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
	} catch {
		// A folder in the path cannot be accessed, so the file is treated as missing.
		return false;
	}
}

function restoreLeaf(target: AppendTarget, leaf: string | null): void {
	if (target.getLeafId() === leaf) return;
	if (leaf === null) target.resetLeaf();
	else target.branch(leaf);
}

/** The prefixes of the lines that the host writes for the suite. */
const BEGINNINGS = ['{"type":"custom","customType":"session-suite:', '{"type":"session_info","id":"'];

/**
 * Whether the text after the previous end of the file comes from our failed append. Such text consists of entries that this process holds
 * in memory, possibly followed by an incomplete entry. The entry whose append failed cannot be compared, because hosts from version 1.5 on
 * have already removed it from memory.
 */
function isOurs(written: string, target: AppendTarget): boolean {
	const lines = written.split("\n");
	const piece = lines.pop() ?? "";
	if (!BEGINNINGS.some((beginning) => piece.startsWith(beginning) || beginning.startsWith(piece)))
		return false;
	return lines.every((line) => {
		const id = idOf(line);
		return id !== undefined && target.getEntry(id) !== undefined;
	});
}

/** Truncates the file to `size` if we wrote everything after that point. */
function cutOff(file: string, size: number, isOurs: (written: string) => boolean): void {
	const opened = openRegular(file, "write");
	// The file can no longer be read or written, so nothing can be undone.
	if (!opened.ok) return;
	try {
		const { fd, stamp } = opened.file;
		const written = readSpan(opened.file, size, Math.max(0, stamp.size - size));
		if (written.length > 0 && isOurs(written.toString("utf8"))) ftruncateSync(fd, size);
	} catch {
		// The failed append is reported anyway, so this error is ignored.
	} finally {
		closeRegular(opened.file);
	}
}

export interface CustomEntry {
	customType: string;
	data: unknown;
}

/**
 * Appends an entry below one that this process has not loaded. The host cannot do that, because it appends only below its own leaf.
 * Throws if appending fails.
 */
export function appendBelow(path: string, parentId: string, { customType, data }: CustomEntry): void {
	const id = newEntryId();
	const timestamp = new Date().toISOString();
	const line = { type: "custom", customType, data, id, parentId, timestamp };
	const appended = appendToExisting(path, `${JSON.stringify(line)}\n`);
	if (!appended.ok) throw new Error(appended.detail);
}

/**
 * Appends lines to an existing file, all or nothing: if the disk fills up during the write, the part that was written is removed. If the
 * file's last line is torn, a newline is added first.
 */
export function appendToExisting(path: string, lines: string): Appended {
	const opened = openRegular(path, "append");
	if (!opened.ok) return { ...opened, reason: appendFailure(opened.reason) };
	const { fd, stamp } = opened.file;
	try {
		const torn = stamp.size > 0 && readSpan(opened.file, stamp.size - 1, 1)[0] !== 0x0a;
		const bytes = Buffer.from(torn ? `\n${lines}` : lines);
		const written = writeSync(fd, bytes);
		if (written === bytes.length) return { ok: true };
		takeBack(opened.file, bytes.subarray(0, written));
		return diskFull(written, bytes);
	} catch (error) {
		return {
			ok: false,
			reason: "unwritable",
			detail: error instanceof Error ? error.message : String(error),
		};
	} finally {
		closeRegular(opened.file);
	}
}

/** Removes the incomplete data of a write that failed because the disk was full, unless another process has appended to the file since. */
function takeBack(file: RegularFile, piece: Buffer): void {
	const start = fstatSync(file.fd).size - piece.length;
	if (start >= 0 && readSpan(file, start, piece.length).equals(piece)) ftruncateSync(file.fd, start);
}

/**
 * Returns the operating system's reason why a session's file could not be read or written, without paths; for example, "ENOSPC: no space
 * left on device".
 */
export function fileErrorText(error: unknown): string {
	const detail = error instanceof Error ? error.message : error;
	const text = typeof detail === "string" ? detail.split(/, \w+(?: '|$)/, 1)[0] : "";
	return text || "the session's file cannot be written.";
}
