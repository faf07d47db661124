import { randomUUID } from "node:crypto";
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { fileLeafId } from "../../session-core/session/file-leaf.ts";
import { TITLE_ENTRY } from "../../session-core/store/own-records.ts";
import { openSessionFile } from "../../session-core/store/session-file.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";

export type RenameOutcome = { ok: true; name: string } | { ok: false; detail: string };

/** Columns of a name; more is a pasted text. */
const NAME_COLUMNS = 200;

/** A name as it is stored; empty if nothing of it is left. */
export function storedName(text: string): string {
	return clipColumns(cleanLine(text), NAME_COLUMNS);
}

/**
 * Gives a session a name by appending to its file: the host's name entry, and the record that the user chose it. The host would
 * open the file for that, and thereby rewrite one of an older version; appending changes nothing that is there.
 */
export function renameInFile(path: string, name: string, now: Date): RenameOutcome {
	try {
		const parent = leafOf(path);
		const nameId = entryId();
		const timestamp = now.toISOString();
		const lines = [
			{ type: "session_info", id: nameId, parentId: parent, timestamp, name },
			{
				type: "custom",
				customType: TITLE_ENTRY,
				data: { title: name, source: "manual" },
				id: entryId(),
				parentId: nameId,
				timestamp,
			},
		];
		append(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
		return { ok: true, name };
	} catch (error) {
		return { ok: false, detail: error instanceof Error ? error.message : String(error) };
	}
}

/** The entry that the next one hangs below. */
function leafOf(path: string): string | null {
	const id = fileLeafId(path);
	if (id !== undefined) return id;
	const opened = openSessionFile(path);
	if (!opened.ok) throw new Error(opened.detail);
	return opened.session.getLeafEntry()?.id ?? null;
}

/** All or nothing, in one write; a torn line before it stays alone on its line. */
function append(path: string, text: string): void {
	const fd = openSync(path, constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0));
	try {
		const { size } = fstatSync(fd);
		const last = Buffer.alloc(1);
		const torn = size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
		const bytes = Buffer.from(torn ? `\n${text}` : text);
		const written = writeSync(fd, bytes);
		if (written === bytes.length) return;
		// The disk is full. Half a record would be a torn line for everybody; what stood before it is not touched.
		if (fstatSync(fd).size === size + written) ftruncateSync(fd, size);
		throw new Error("the disk is full");
	} finally {
		closeSync(fd);
	}
}

/** Like the host's: eight hexadecimal digits. */
function entryId(): string {
	return randomUUID().slice(0, 8);
}
