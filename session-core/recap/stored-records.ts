import { isObject } from "../json.ts";
import type { BranchSlice } from "../session-file/branch.ts";
import { recentCustomEntries } from "../session-file/branch.ts";
import type { Entry } from "../session-file/entry.ts";
import { safeText } from "../text/safe.ts";
import { cleanLine } from "../text/sanitize.ts";
import type { Note, SessionRecord } from "./record.ts";
import { RECAP_ENTRY, readRecap } from "./record-entry.ts";

/** Returns the valid records of the state `stamp` on a branch, newest first. Their texts are safe to show. */
export function recordsOf(slice: Pick<BranchSlice, "entries">, stamp: string | undefined): SessionRecord[] {
	if (stamp === undefined) return [];
	return recordsOn(slice).filter((recap) => recap.last_message_id === stamp);
}

/** Returns the valid records on a branch, regardless of state, newest first. */
export function recordsOn(slice: Pick<BranchSlice, "entries">): SessionRecord[] {
	return recentCustomEntries(slice, RECAP_ENTRY).flatMap((entry) => readRecap(entry) ?? []);
}

/** Returns the newest valid record on a branch, regardless of state. */
export function newestRecord(slice: Pick<BranchSlice, "entries">): SessionRecord | undefined {
	for (const entry of recentCustomEntries(slice, RECAP_ENTRY)) {
		const recap = readRecap(entry);
		if (recap) return recap;
	}
	return undefined;
}

/**
 * Whether resuming the session creates a fork instead of continuing the original. The newest record determines this, even if it is
 * outdated.
 */
export function branchesOnResume(slice: Pick<BranchSlice, "entries">): boolean {
	return newestRecord(slice)?.resume_hint?.branch_on_resume === true;
}

/** Returns the session's own record of its current state: the newest one that is about this session. */
export function ownRecord(records: readonly SessionRecord[], sessionId: string): SessionRecord | undefined {
	return records.find((recap) => recap.subject_id === sessionId);
}

/**
 * Returns the record to show for a session. A fork without messages of its own is in the state of its parent, so the parent's record is
 * shown.
 */
export function shownRecord(
	{ records, isInherited }: { records: readonly SessionRecord[]; isInherited: boolean },
	sessionId: string,
): SessionRecord | undefined {
	return ownRecord(records, sessionId) ?? (isInherited ? records[0] : undefined);
}

/** The type of the custom entry in which earlier versions stored a model's sentences about one state. */
export const RECAP_TEXT_ENTRY = "session-suite:recap-text";

/** Returns the newest valid sentences among `entries` (newest first) about the state `stamp`, as a note. */
export function savedSentences(entries: readonly Entry[], stamp: string | undefined): Note | undefined {
	if (stamp === undefined) return undefined;
	for (const { data } of entries) {
		if (!isObject(data) || data["last_message_id"] !== stamp) continue;
		const { text, model: name } = data;
		if (typeof text !== "string" || text === "" || typeof name !== "string") continue;
		const [provider = "", ...model] = cleanLine(name).split("/");
		const sentences = cleanLine(safeText(text));
		return {
			sentences,
			topic: undefined,
			done: [],
			next: undefined,
			model: { provider, model: model.join("/") },
		};
	}
	return undefined;
}
