import type { Checkout } from "../text/files/index.ts";
import { shownName } from "../text/index.ts";
import type { CardWords } from "./card-words.ts";
import { offlineRecap } from "./heuristic.ts";
import { asJobBefore } from "./job.ts";
import type { Reading } from "./read-session.ts";
import type { Note, SessionRecord } from "./record.ts";
import { CUT } from "./requests.ts";
import { ownRecord, shownRecord } from "./stored-records.ts";
import { nextOf, pointsOf } from "./text.ts";

/** Record data that is not derived from the timeline. */
export interface RecordStamp {
	id: string;
	/** The host's session id. */
	subjectId: string;
	/** Milliseconds since the epoch. */
	now: number;
	kind: SessionRecord["kind"];
	/** The newest record in the file. Programs other than the host need it to determine what the next run of a job may do. */
	before?: SessionRecord | undefined;
	cwd: string;
	/** The last known checkout; undefined if there is no repository or if it is unknown. */
	checkout: Checkout | undefined;
	words: CardWords;
	/** A model's note on this state. */
	note?: Note | undefined;
}

/** Returns a record of a conversation's state. Fields that the note does not supply are generated offline. */
export function makeRecord(
	{ timeline, model, branches, saved, handedOverFrom }: Reading,
	stamp: RecordStamp,
): SessionRecord {
	const { recap: offline } = offlineRecap(timeline, stamp.words);
	const note = stamp.note ?? saved;
	const made = note ? withNote(offline, note) : offline;
	const { resume_hint: hint } = made;
	const own = {
		...made,
		id: stamp.id,
		kind: stamp.kind,
		subject_id: stamp.subjectId,
		...(hint && model && { resume_hint: { ...hint, provider: model.provider, model: model.id } }),
		created_at: Math.floor(stamp.now / 1000),
	};
	const recap = {
		...asJobBefore(own, stamp.before),
		...(handedOverFrom !== undefined && { handed_over_from: handedOverFrom }),
	};
	return withCheckout(branches ? withBranching(recap, true) : recap, stamp.cwd, stamp.checkout);
}

/** A state of the conversation and its records. */
export interface Prepared {
	reading: Reading;
	/** The record as it is generated now. */
	recap: SessionRecord;
	/** The stored record of this state that describes this session, not the session from which it was forked. */
	existing: SessionRecord | undefined;
	/** The record that every surface shows. */
	shown: SessionRecord;
}

/**
 * Chooses the record that every surface shows: one that a person or a model wrote; otherwise, a stored offline record; otherwise, one that
 * is generated now. `noted`: a record with a model's note that could not be stored.
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

/**
 * Returns a record as it is shown while another process has the session open. In the log, a run that continues there cannot be
 * distinguished from one that was interrupted. `live`: the state of that process; undefined if no such process exists.
 */
export function duringRun(record: SessionRecord, live: string | undefined): SessionRecord {
	const isRunning = live === "working" || (live === "waiting" && CUT.has(record.outcome));
	if (!isRunning) return record;
	const { next_kinds: _, resume_hint: __, ...rest } = record;
	return { ...rest, next_actions: [], outcome: live === "working" ? "running" : "waiting" };
}

function withNote(offline: SessionRecord, { sentences, topic, done, next, model }: Note): SessionRecord {
	const { text, next_kinds: _, resume_hint: __, ...rest } = offline;
	const points = next ?? pointsOf(offline);
	const [first] = points;
	const shown = sentences ?? text ?? (topic === undefined ? undefined : offline.headline);
	const waits = points.some(({ kind }) => kind === "question" || kind === "request");
	return {
		...rest,
		generator: { type: "llm", ...model },
		headline: topic ?? offline.headline,
		...(shown !== undefined && { text: shown }),
		bullets: done.length > 0 ? done : offline.bullets,
		...nextOf(points),
		...(!CUT.has(offline.outcome) && { outcome: waits ? "waiting" : "done" }),
		...(first && { resume_hint: { seed_instruction: first.text } }),
	};
}

/**
 * Returns the record with its `branch_on_resume` flag set or removed. The flag means that resuming the session creates a fork instead of
 * continuing the original.
 */
export function withBranching(recap: SessionRecord, branches: boolean): SessionRecord {
	const { branch_on_resume: _, ...hint } = {
		seed_instruction: recap.next_actions[0] ?? "",
		...recap.resume_hint,
	};
	const { resume_hint: __, ...rest } = recap;
	if (branches) return { ...rest, resume_hint: { ...hint, branch_on_resume: true } };
	return hint.seed_instruction === "" ? rest : { ...rest, resume_hint: hint };
}

/** Returns the record with the state of the repository added. The card later compares that state with the current one. */
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
