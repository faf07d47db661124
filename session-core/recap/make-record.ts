import type { Checkout } from "../text/files/index.ts";
import { shownName } from "../text/index.ts";
import type { CardWords } from "./card-words.ts";
import { offlineRecap } from "./heuristic.ts";
import { asJobBefore } from "./jobs.ts";
import type { Reading } from "./read-session.ts";
import { type Note, type SessionRecord, withHint } from "./record.ts";
import { CUT } from "./requests.ts";
import { ownRecord, shownRecord } from "./stored-records.ts";
import { nextOf, pointsOf } from "./text.ts";

/** Record data that is not derived from the timeline. */
export interface RecordStamp {
	subjectId: string;
	now: number;
	kind: SessionRecord["kind"];
	/** The newest record in the file. Programs other than the host need this record to determine what the next run of a job may do. */
	before?: SessionRecord | undefined;
	cwd: string;
	/** The last known checkout; undefined if there is no repository or if it is unknown. */
	checkout: Checkout | undefined;
	words: CardWords;
	note?: Note | undefined;
}

/** Returns a record of a conversation's state, without an id. Fields that the note does not supply are generated offline. */
export function makeRecord(
	{ timeline, model, branches, saved, handedOverFrom }: Reading,
	stamp: RecordStamp,
): SessionRecord {
	const offline = offlineRecap(timeline, stamp.words);
	const note = stamp.note ?? saved;
	const own = {
		...(note ? withNote(offline, note) : offline),
		kind: stamp.kind,
		subject_id: stamp.subjectId,
		created_at: Math.floor(stamp.now / 1000),
		...(handedOverFrom !== undefined && { handed_over_from: handedOverFrom }),
	};
	const hinted = withHint(own, model && { provider: model.provider, model: model.id });
	const job = asJobBefore(hinted, stamp.before);
	return withCheckout(branches ? withHint(job, { branch_on_resume: true }) : job, stamp.cwd, stamp.checkout);
}

/** A state of the conversation and its records. */
export interface Prepared {
	reading: Reading;
	recap: SessionRecord;
	/** The stored record of this state that describes this session, not the session from which it was forked. */
	existing: SessionRecord | undefined;
	shown: SessionRecord;
}

/**
 * Chooses the record to show: one from a person or a model, otherwise a stored offline record, otherwise a new one. `noted`: a record with
 * a note that was not stored.
 */
export function prepare(reading: Reading, stamp: RecordStamp, noted?: SessionRecord): Prepared {
	const recap = makeRecord(reading, stamp);
	const stored = shownRecord(reading, stamp.subjectId);
	const current = noted?.last_message_id === reading.stamp ? noted : undefined;
	const written = [stored, current, recap].find(
		(one) => one !== undefined && one.generator.type !== "heuristic",
	);
	return {
		reading,
		recap,
		existing: ownRecord(reading.records, stamp.subjectId),
		shown: written ?? stored ?? recap,
	};
}

/** Corrects the outcome of a run that continues elsewhere and looks interrupted in the log. `live`: the other process's state, if any. */
export function duringRun(record: SessionRecord, live: string | undefined): SessionRecord {
	const isRunning = live === "working" || (live === "waiting" && CUT.has(record.outcome));
	if (!isRunning) return record;
	const { next_kinds: _, resume_hint: __, ...rest } = record;
	return { ...rest, next_actions: [], outcome: live === "working" ? "running" : "waiting" };
}

function withNote(offline: SessionRecord, { generator, headline, bullets, ...note }: Note): SessionRecord {
	const { text: request, bullet_kinds, next_kinds: _, ...rest } = offline;
	const points = note.next ?? pointsOf(offline);
	const waits = points.some(({ kind }) => kind === "question" || kind === "request");
	const text = note.text ?? request ?? (headline && offline.headline);
	return {
		...rest,
		generator,
		headline: headline ?? offline.headline,
		...(text !== undefined && { text }),
		...(bullets.length > 0 ? { bullets } : bullet_kinds && { bullet_kinds }),
		...nextOf(points),
		...(!CUT.has(offline.outcome) && { outcome: waits ? "waiting" : "done" }),
	};
}

/** Adds the state of the repository to a record. The card later compares that state with the current one. */
export function withCheckout(
	recap: SessionRecord,
	cwd: string,
	checkout: Checkout | undefined,
): SessionRecord {
	return {
		...recap,
		workspace: {
			cwd,
			...(checkout?.branch !== undefined && { git_branch: shownName(checkout.branch) }),
			...(checkout?.head !== undefined && { git_head: checkout.head }),
		},
	};
}

/** Why a record is being written. `end`: an interactive session ended; `job`: a headless run ended; `note`: a recap was written. */
export type Cause = "end" | "job" | "idle" | "typed" | "note";

export interface RecordFacts {
	cause: Cause;
	stamp: string | undefined;
	hasTask: boolean;
	messages: number;
	/** The minimum number of messages for a record at the end of a session. 0 turns these records off. */
	minMessages: number;
	isInherited: boolean;
	existing: SessionRecord | undefined;
	force: boolean;
	wantsModel: boolean;
	/** Whether the user is asking for a model's note again. */
	isAgain?: boolean;
}

/**
 * Why no record is written. `exists`: this state already has a record. `edited`: a person edited that record. `inherited`: the session is
 * still in its parent's state.
 */
export type RecordRefusal = "nothing" | "off" | "short" | "inherited" | "exists" | "edited";

export type TypedRefusal = "nothing" | "exists" | "edited";

export function refusal(facts: RecordFacts & { cause: "typed" }): TypedRefusal | undefined;
export function refusal(facts: RecordFacts): RecordRefusal | undefined;
export function refusal(facts: RecordFacts): RecordRefusal | undefined {
	const { cause, stamp, hasTask, existing, isInherited } = facts;
	if (stamp === undefined || !hasTask) return "nothing";
	if (cause === "end" && facts.minMessages === 0) return "off";
	if (cause === "end" && facts.messages < facts.minMessages) return "short";
	if (cause !== "typed" && isInherited) return "inherited";
	if (!existing || facts.force) return undefined;
	if (existing.generator.type === "user_edited") return "edited";
	// At the user's request, a record written by a model may replace one that was generated offline.
	const isBetter =
		cause === "typed" &&
		facts.wantsModel &&
		(existing.generator.type === "heuristic" || facts.isAgain === true);
	return isBetter ? undefined : "exists";
}
