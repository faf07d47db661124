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
	type SessionHeader,
	secretsOf,
	withoutSecrets,
} from "../log/index.ts";
import { ownLanguage, readTimeline, type Timeline } from "../log/timeline/index.ts";
import { readTime } from "../text/files/index.ts";
import { type Language, type ModelName, safeSessionId } from "../text/index.ts";
import { recordsAt, type StoredRecords } from "./records.ts";

export interface Reading extends StoredRecords {
	id: string;
	stamp: string | undefined;
	at: number | undefined;
	messages: number;
	hasTask: boolean;
	/** True if this session is a fork whose last message was copied from the original session. */
	isInherited: boolean;
	model: ModelName | undefined;
	timeline: Timeline;
	calls: Calls | undefined;
	language: Language | undefined;
	handedOverFrom?: string | undefined;
}

export type HeaderOrigin = Partial<Pick<SessionHeader, "id" | "timestamp" | "parentSession">>;

export function readSession(slice: BranchSlice, origin: HeaderOrigin, cwd: string): Reading {
	const timeline = readTimeline(slice, { cwd });
	const secrets = secretsOf(slice.entries);
	const last = slice.entries.findLast(isMessageEntry);
	const { stamp } = timeline;
	const id = safeSessionId(origin.id ?? "");
	return {
		...withoutSecrets(recordsAt(slice, { id, stamp }), secrets),
		id,
		stamp,
		at: last && readTime(last.timestamp),
		messages: timeline.messages,
		hasTask: timeline.turns.some(({ request }) => request !== undefined),
		isInherited: last !== undefined && isOlder(last, origin),
		model: ownModel(slice.entries),
		timeline,
		calls: callsOf(slice),
		language: ownLanguage(timeline),
		handedOverFrom: originIn(slice.entries),
	};
}

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

const SEARCHED = 2_000;
const ORIGIN = /<earlier-session-[a-z]{16}>\n[^\n]*\nSession ([\w.-]{1,64}) of ([^\n·]{1,20}?) *(?:·|\n)/;

function originIn(entries: readonly Entry[]): string | undefined {
	for (const entry of entries) {
		const message = readMessage(entry);
		if (message?.role !== "user") continue;
		const [, id, mark] = ORIGIN.exec(message.text.slice(0, SEARCHED)) ?? [];
		const format = FOREIGN.find((one) => one.mark === mark);
		return format && `${format.name}/${id}`;
	}
	return undefined;
}
