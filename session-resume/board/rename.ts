import { fstatSync, ftruncateSync, writeSync } from "node:fs";
import { fileLeafId } from "../../session-core/session/file-leaf.ts";
import { newEntryId } from "../../session-core/store/entry-id.ts";
import { hostReading } from "../../session-core/store/host-reading.ts";
import { TITLE_ENTRY } from "../../session-core/store/own-records.ts";
import { closeRegular, openRegular, readSpan } from "../../session-core/store/regular-file.ts";
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
	const reading = hostReading(path);
	if (!reading.ok) return { ok: false, detail: reading.detail };
	// Nothing is written into a file that is only there to be repaired.
	if (!reading.reads) return { ok: false, detail: "its file is damaged; open its repaired copy first." };
	try {
		const parent = leafOf(path);
		const nameId = newEntryId();
		const timestamp = now.toISOString();
		const lines = [
			{ type: "session_info", id: nameId, parentId: parent, timestamp, name },
			{
				type: "custom",
				customType: TITLE_ENTRY,
				data: { title: name, source: "manual" },
				id: newEntryId(),
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
	const opened = openRegular(path, "append");
	if (!opened.ok) throw new Error(opened.detail);
	const { fd, stamp } = opened.file;
	try {
		const torn = stamp.size > 0 && readSpan(opened.file, stamp.size - 1, 1)[0] !== 0x0a;
		const bytes = Buffer.from(torn ? `\n${text}` : text);
		const written = writeSync(fd, bytes);
		if (written === bytes.length) return;
		// The disk is full. Half a record would be a torn line for everybody; what stood before it is not touched.
		if (fstatSync(fd).size === stamp.size + written) ftruncateSync(fd, stamp.size);
		throw new Error("the disk is full");
	} finally {
		closeRegular(opened.file);
	}
}
