import { ftruncateSync, lstatSync } from "node:fs";
import { closeRegular, openRegular, readSpan } from "../store/regular-file.ts";
import type { Entry } from "./entry.ts";
import { fileLeafId } from "./file-leaf.ts";

/** The host's session manager, as far as appending to it needs care. */
export interface AppendTarget {
	getSessionFile(): string | undefined;
	getLeafId(): string | null;
	getLeafEntry(): Entry | undefined;
	getEntry(id: string): Entry | undefined;
	/** Public on the host's class, though not in what it promises extensions. */
	branch?(entryId: string): void;
}

/**
 * `not_saved`: the host has not written the file yet. `moved_on`: another process wrote to it since; an entry of ours
 * would hide that. `aside`: the user went to an earlier point of the tree (`/tree`) and said nothing there yet; an entry
 * of ours would make that the point at which the session opens next. `unreadable`: its end cannot be told. `unwritable`: the append failed, and was undone.
 */
export type AppendRefusal = "not_saved" | "moved_on" | "aside" | "unreadable" | "unwritable";

export type AppendOutcome = { ok: true } | { ok: false; reason: AppendRefusal; detail: string };

/**
 * Append an entry through the host, or leave everything as it was.
 *
 * The host keeps an entry in memory even if writing it failed, and hangs the next message below it: on disk that message
 * would have no parent, and everything before it would be out of sight. So a failed append is taken back, in memory and,
 * where a part of the line was written, in the file.
 */
export function appendCarefully(
	target: AppendTarget,
	append: () => void,
	{ aside = "refuse" }: { aside?: "refuse" | "write" } = {},
): AppendOutcome {
	const file = target.getSessionFile();
	if (file === undefined) {
		// A session that is kept in memory only.
		append();
		return { ok: true };
	}
	const size = sizeOf(file);
	if (size === undefined) return refused("not_saved");
	const leaf = target.getLeafId();
	const leafInFile = fileLeafId(file);
	if (leafInFile === undefined) return refused("unreadable");
	const isEnd = leafInFile === leaf;
	if (!isEnd && target.getEntry(leafInFile) === undefined) return refused("moved_on");
	if (leaf === null || (!isEnd && aside === "refuse")) return refused("aside");
	try {
		appendOrUndo(target, append);
		return { ok: true };
	} catch (error) {
		return refused("unwritable", error instanceof Error ? error.message : String(error));
	}
}

/**
 * Append through the host; where that fails, take it back and pass the error on. Not an error: the host failed after
 * the entry was on disk.
 */
export function appendOrUndo(target: AppendTarget, append: () => void): void {
	const file = target.getSessionFile();
	const size = file === undefined ? undefined : sizeOf(file);
	const leaf = target.getLeafId();
	try {
		append();
	} catch (error) {
		if (file === undefined || size === undefined || leaf === null) throw error;
		if (fileLeafId(file) === target.getLeafId() && target.getLeafId() !== leaf) return;
		const failed = target.getLeafEntry();
		if (failed && failed.id !== leaf) {
			target.branch?.(leaf);
			takeBack(file, size, `${JSON.stringify(failed)}\n`);
		}
		throw error;
	}
}

function refused(reason: AppendRefusal, detail = ""): AppendOutcome {
	return { ok: false, reason, detail };
}

function sizeOf(file: string): number | undefined {
	try {
		return lstatSync(file, { throwIfNoEntry: false })?.size;
	} catch {
		// A folder on the way that cannot be entered: as good as no file.
		return undefined;
	}
}

/** Cuts off what was written of `line`, if that and nothing else stands behind the old end of the file. */
function takeBack(file: string, size: number, line: string): void {
	const opened = openRegular(file, "write");
	// Not even that is possible: readers pass over a torn line, and nothing of anybody else's is in it.
	if (!opened.ok) return;
	try {
		const { fd, stamp } = opened.file;
		const written = readSpan(opened.file, size, Math.max(0, stamp.size - size));
		const expected = Buffer.from(line).subarray(0, written.length);
		if (written.length > 0 && written.equals(expected)) ftruncateSync(fd, size);
	} catch {
		// As above.
	} finally {
		closeRegular(opened.file);
	}
}
