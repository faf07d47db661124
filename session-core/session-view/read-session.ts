import { readTime } from "../json.ts";
import type { Note, SessionRecord } from "../recap/record.ts";
import { branchesOnResume, RECAP_TEXT_ENTRY, recordsOf, savedSentences } from "../recap/stored-records.ts";
import { type BranchSlice, recentCustomEntries } from "../session-file/branch.ts";
import { type Calls, callsOf, ownModel } from "../session-file/calls.ts";
import type { SessionHeader } from "../session-file/entries.ts";
import type { Entry } from "../session-file/entry.ts";
import { isMessageEntry } from "../session-file/message.ts";
import { secretsOf, withoutSecrets } from "../session-file/secrets.ts";
import type { Language } from "../text/language.ts";
import type { ModelName } from "../text/shown-line.ts";
import { ownLanguage, readTimeline } from "../timeline/timeline.ts";
import type { Timeline } from "../timeline/types.ts";
import { originIn } from "./handed-over.ts";

export interface Reading {
	/** The id of the last message; undefined if there is none yet. */
	stamp: string | undefined;
	at: number | undefined;
	messages: number;
	/** Whether the user has made a request that can be the subject of a recap. */
	hasTask: boolean;
	/** Whether the last message was copied from the session that this one was forked from. */
	isInherited: boolean;
	/** The valid records of the session's current state, newest first, including records about other sessions. */
	records: SessionRecord[];
	/** A model's sentences about this state, as earlier versions stored them. */
	saved: Note | undefined;
	/** Whether, according to the newest record, resuming the session creates a fork instead of continuing the original. */
	branches: boolean;
	model: ModelName | undefined;
	timeline: Timeline;
	/** What the replies show about the cost of the next call. */
	calls: Calls | undefined;
	language: Language | undefined;
	/** The session of another agent that this one continues, as `agent/id`. */
	handedOverFrom?: string | undefined;
}

/** The fields of the session's header that show which messages were copied from its parent. */
export type HeaderOrigin = Partial<Pick<SessionHeader, "timestamp" | "parentSession">>;

/** Reads a branch. The time that this takes depends on how much was kept of it, not on the length of the session. */
export function readSession(slice: BranchSlice, origin: HeaderOrigin, cwd: string): Reading {
	const timeline = readTimeline(slice, { cwd });
	const secrets = secretsOf(slice.entries);
	const last = slice.entries.findLast(isMessageEntry);
	return {
		stamp: timeline.stamp,
		at: last && readTime(last.timestamp),
		messages: timeline.messages,
		hasTask: timeline.turns.some(({ request }) => request !== undefined),
		isInherited: last !== undefined && isOlder(last, origin),
		records: withoutSecrets(recordsOf(slice, timeline.stamp), secrets),
		saved: withoutSecrets(
			savedSentences(recentCustomEntries(slice, RECAP_TEXT_ENTRY), timeline.stamp),
			secrets,
		),
		branches: branchesOnResume(slice),
		model: ownModel(slice.entries),
		timeline,
		calls: callsOf(slice),
		language: ownLanguage(timeline),
		handedOverFrom: originIn(slice.entries),
	};
}

/** Whether an entry is older than the session. This is true of the entries that a fork copies from its parent. */
function isOlder(entry: Entry, { timestamp, parentSession }: HeaderOrigin): boolean {
	if (parentSession === undefined) return false;
	const begun = Date.parse(timestamp ?? "");
	const sentAt = readTime(entry.timestamp);
	return sentAt !== undefined && sentAt < begun;
}
