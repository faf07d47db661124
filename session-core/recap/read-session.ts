import {
	type BranchSlice,
	type Calls,
	callsOf,
	type Entry,
	FOREIGN,
	type Format,
	isMessageEntry,
	ownModel,
	readMessage,
	recentCustomEntries,
	type SessionHeader,
	secretsOf,
	withoutSecrets,
} from "../log/index.ts";
import { ownLanguage, readTimeline, type Timeline } from "../log/timeline/index.ts";
import { readTime } from "../text/files/index.ts";
import type { Language, ModelName } from "../text/index.ts";
import type { Note, SessionRecord } from "./record.ts";
import { RECAP_TEXT_ENTRY, recordsOn, savedSentences } from "./stored-records.ts";

export interface Reading {
	stamp: string | undefined;
	at: number | undefined;
	messages: number;
	/** Whether the user has made a request that can be the subject of a recap. */
	hasTask: boolean;
	/** Whether the last message was copied from the session from which this session was forked. */
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
	/** Another agent's session that this one continues, as `agent/id`. */
	handedOverFrom?: string | undefined;
}

/** The fields of the session's header that show which messages were copied from its parent. */
export type HeaderOrigin = Partial<Pick<SessionHeader, "timestamp" | "parentSession">>;

/** Reads a branch. The time that this takes depends on the size of the slice, not on the session's length. */
export function readSession(slice: BranchSlice, origin: HeaderOrigin, cwd: string): Reading {
	const timeline = readTimeline(slice, { cwd });
	const secrets = secretsOf(slice.entries);
	const last = slice.entries.findLast(isMessageEntry);
	const records = recordsOn(slice);
	return {
		stamp: timeline.stamp,
		at: last && readTime(last.timestamp),
		messages: timeline.messages,
		hasTask: timeline.turns.some(({ request }) => request !== undefined),
		isInherited: last !== undefined && isOlder(last, origin),
		records: withoutSecrets(
			records.filter(({ last_message_id }) => last_message_id === timeline.stamp),
			secrets,
		),
		saved: withoutSecrets(
			savedSentences(recentCustomEntries(slice, RECAP_TEXT_ENTRY), timeline.stamp),
			secrets,
		),
		branches: records[0]?.resume_hint?.branch_on_resume === true,
		model: ownModel(slice.entries),
		timeline,
		calls: callsOf(slice),
		language: ownLanguage(timeline),
		handedOverFrom: originIn(slice.entries),
	};
}

/** Whether an entry is older than the session, like the entries that a fork copies from its parent. */
function isOlder(entry: Entry, { timestamp, parentSession }: HeaderOrigin): boolean {
	if (parentSession === undefined) return false;
	const begun = Date.parse(timestamp ?? "");
	const sentAt = readTime(entry.timestamp);
	return sentAt !== undefined && sentAt < begun;
}

export const HANDOVER_TAG = "earlier-session";

export function originLine({ mark }: Format, id: string): string {
	return `Session ${id} of ${mark}`;
}

/** Number of characters at the beginning of a prompt in which the line that names the session's origin is searched for. */
const SEARCHED = 2_000;
const ORIGIN = /<earlier-session-[a-z]{16}>\n[^\n]*\nSession ([\w.-]{1,64}) of ([^\n·]{1,20}?) *(?:·|\n)/;

/** Returns the session from which this one was handed over, as `format/id`, according to the first prompt. */
function originIn(entries: readonly Entry[]): string | undefined {
	for (const entry of entries) {
		const message = readMessage(entry);
		if (message?.role !== "user") continue;
		const [, id, mark] = ORIGIN.exec(message.text.slice(0, SEARCHED)) ?? [];
		const format = FOREIGN.find((one) => one.mark === mark);
		// Only the first prompt can hand over a session.
		return format && `${format.name}/${id}`;
	}
	return undefined;
}
