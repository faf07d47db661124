import { fileLeafId } from "../session/file-leaf.ts";
import { appendToExisting } from "../store/append-regular.ts";
import { newEntryId } from "../store/entry-id.ts";
import { hostReading } from "../store/host-reading.ts";
import { readWholeSession } from "../store/session-file.ts";
import { TITLE_ENTRY, type TitleData } from "./record.ts";

export type RenameOutcome = { ok: true; name: string } | { ok: false; detail: string };

/**
 * Gives a session that no process has open a name by appending to its file: the record that the user chose it, and the host's
 * name entry. The host would
 * open the file for that, and thereby rewrite one of an older version; appending changes nothing that is there.
 */
export async function renameInFile(path: string, name: string, now: Date): Promise<RenameOutcome> {
	const reading = await hostReading(path);
	if (!reading.ok) return { ok: false, detail: reading.detail };
	// Nothing is written into a file that is only there to be repaired.
	if (!reading.reads) return { ok: false, detail: "its file is damaged; open its repaired copy first." };
	try {
		const parent = await leafOf(path);
		const recordId = newEntryId();
		const timestamp = now.toISOString();
		const data: TitleData = { title: name, source: "manual" };
		// In the order in which the host is given them: whoever finds the name finds before it who chose it.
		const lines = [
			{ type: "custom", customType: TITLE_ENTRY, data, id: recordId, parentId: parent, timestamp },
			{ type: "session_info", id: newEntryId(), parentId: recordId, timestamp, name },
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
