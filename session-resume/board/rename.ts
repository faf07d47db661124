import { fileLeafId } from "../../session-core/session/file-leaf.ts";
import { appendToExisting } from "../../session-core/store/append-regular.ts";
import { newEntryId } from "../../session-core/store/entry-id.ts";
import { hostReading } from "../../session-core/store/host-reading.ts";
import { TITLE_ENTRY } from "../../session-core/store/own-records.ts";
import { readWholeSession } from "../../session-core/store/session-file.ts";
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
export async function renameInFile(path: string, name: string, now: Date): Promise<RenameOutcome> {
	const reading = await hostReading(path);
	if (!reading.ok) return { ok: false, detail: reading.detail };
	// Nothing is written into a file that is only there to be repaired.
	if (!reading.reads) return { ok: false, detail: "its file is damaged; open its repaired copy first." };
	try {
		const parent = await leafOf(path);
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
		const appended = appendToExisting(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
		return appended.ok ? { ok: true, name } : appended;
	} catch (error) {
		return { ok: false, detail: error instanceof Error ? error.message : String(error) };
	}
}

/** The entry that the next one hangs below. */
async function leafOf(path: string): Promise<string | null> {
	const id = fileLeafId(path);
	if (id !== undefined) return id;
	const opened = await readWholeSession(path);
	if (!opened.ok) throw new Error(opened.detail);
	return opened.session.getLeafEntry()?.id ?? null;
}
