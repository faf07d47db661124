import type { Entry } from "../session/entry.ts";
import type { ParsedEntries } from "./entries.ts";
import { HOST_TYPES } from "./host-types.ts";

/**
 * Whether parsed lines are a session's. A recorded event stream (`pi --mode json`) begins with the same header and is
 * not one: its lines are of other types and carry no ids.
 */
export function isSessionLog({ headers, entries }: Pick<ParsedEntries, "headers" | "entries">): boolean {
	if (entries.length === 0) return headers.length > 0;
	return entries.some(belongsToSession);
}

function belongsToSession(entry: Entry): boolean {
	return HOST_TYPES.has(entry.type) || !entry.id.startsWith("@");
}
