import { isObject, type JsonObject } from "../json.ts";
import type { NameFacts } from "./names.ts";
import type { FileStamp } from "./regular-file.ts";
import type { SessionSummary, SummaryRecord } from "./summary.ts";

/** What the index knows of one file: its summary, or that it is not a session. */
export type Indexed = SummaryRecord | { skipped: "empty" | "not_session" };

/** As it is stored: what follows from the folder and the stamp is left out. */
export function toStored(known: Indexed): unknown {
	if ("skipped" in known) return known;
	return {
		summary: { ...known.summary, path: undefined, size: undefined, changed: undefined },
		names: known.names,
	};
}

/** Reads what {@link toStored} gave. Undefined for anything else: then the session file is read again. */
export function fromStored(value: unknown, path: string, stamp: FileStamp): Indexed | undefined {
	if (!isObject(value)) return undefined;
	const { summary, names, skipped } = value;
	if (skipped === "empty" || skipped === "not_session") return { skipped };
	if (!isStoredSummary(summary) || !isStoredNames(names)) return undefined;
	// In place: copies of thousands of summaries cost more than all else that a warm scan does.
	summary.path = path;
	summary.size = stamp.size;
	summary.changed = stamp.mtimeMs;
	return { stamp, names, summary };
}

// The index is our own file and its header names the version: these checks find damage, not other shapes. JSON leaves out
// what is undefined, which reads the same.

function isStoredSummary(value: unknown): value is JsonObject & SessionSummary {
	return (
		isObject(value) &&
		typeof value["id"] === "string" &&
		typeof value["cwd"] === "string" &&
		typeof value["kind"] === "string" &&
		typeof value["modified"] === "number" &&
		typeof value["created"] === "number"
	);
}

function isStoredNames(value: unknown): value is JsonObject & NameFacts {
	return isObject(value) && isObject(value["newer"]) && isObject(value["older"]);
}
