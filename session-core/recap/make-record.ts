import type { Checkout } from "../text/files/index.ts";
import { shownName } from "../text/index.ts";
import type { CardWords } from "./card-words.ts";
import { offlineRecap } from "./heuristic.ts";
import { asJobBefore } from "./jobs.ts";
import type { Reading } from "./read-session.ts";
import { isBranching, type Note, type SessionRecord, withHint } from "./record.ts";
import { CUT } from "./requests.ts";
import { ownRecord, shownRecord } from "./stored-records.ts";
import { nextOf, pointsOf } from "./text.ts";

export interface RecordDetails {
	subjectId: string;
	now: number;
	kind: SessionRecord["kind"];
	cwd: string;
	checkout: Checkout | undefined;
	words: CardWords;
	note?: Note | undefined;
}

/**
 * Makes a record from a model's note. Fields that the note does not contain are generated without a model.
 * The record's id is left empty.
 */
export function makeRecord(
	{ timeline, model, newest, handedOverFrom }: Reading,
	details: RecordDetails,
): SessionRecord {
	const offline = offlineRecap(timeline, details.words);
	const { note } = details;
	const own = {
		...(note ? withNote(offline, note) : offline),
		kind: details.kind,
		subject_id: details.subjectId,
		created_at: Math.floor(details.now / 1000),
		...(handedOverFrom !== undefined && { handed_over_from: handedOverFrom }),
	};
	const hinted = withHint(own, model && { provider: model.provider, model: model.id });
	const job = asJobBefore(hinted, newest);
	return withCheckout(
		isBranching(newest, details.subjectId) ? withHint(job, { branch_on_resume: true }) : job,
		details.cwd,
		details.checkout,
	);
}

export interface Prepared {
	reading: Reading;
	offline: SessionRecord;
	existing: SessionRecord | undefined;
	shown: SessionRecord;
}

/** Prefers a record that a person or a model wrote over a record that was generated without a model. */
export function prepare(reading: Reading, details: RecordDetails, noted?: SessionRecord): Prepared {
	const offline = makeRecord(reading, details);
	const stored = shownRecord(reading, details.subjectId);
	const current = noted?.last_message_id === reading.stamp ? noted : undefined;
	const written = [stored, current].find((one) => one !== undefined && one.generator.type !== "heuristic");
	return {
		reading,
		offline,
		existing: ownRecord(reading.records, details.subjectId),
		shown: written ?? stored ?? offline,
	};
}

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

export type Cause = "end" | "job" | "idle" | "typed" | "note";

export interface RecordFacts {
	cause: Cause;
	stamp: string | undefined;
	hasTask: boolean;
	messages: number;
	minMessages: number;
	isInherited: boolean;
	existing: SessionRecord | undefined;
	force: boolean;
	wantsModel: boolean;
	isAgain?: boolean;
}

/**
 * The reasons for not writing a record. `inherited` means that the session is a fork without new messages,
 * and `edited` means that a person has edited the existing record.
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
	// At the user's request, a model-generated record may replace a record generated without a model.
	const isBetter =
		cause === "typed" &&
		facts.wantsModel &&
		(existing.generator.type === "heuristic" || facts.isAgain === true);
	return isBetter ? undefined : "exists";
}
