import { randomUUID } from "node:crypto";

/** A new entry's id, like the host's: eight hexadecimal digits. */
export function newEntryId(): string {
	return randomUUID().slice(0, 8);
}
