import { appendToExisting } from "../store/append-regular.ts";
import { newEntryId } from "../store/entry-id.ts";

/** A `custom` entry. */
export interface CustomEntry {
	customType: string;
	data: unknown;
}

/**
 * Write an entry below one that this process has never loaded: the host can only write below its own leaf, and whoever opens the
 * file next goes on from its last line. Throws where it could not.
 */
export function appendBelow(path: string, parentId: string, { customType, data }: CustomEntry): void {
	const id = newEntryId();
	const timestamp = new Date().toISOString();
	const line = { type: "custom", customType, data, id, parentId, timestamp };
	const appended = appendToExisting(path, `${JSON.stringify(line)}\n`);
	if (!appended.ok) throw new Error(appended.detail);
}
