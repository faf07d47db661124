import type { Checkout } from "../text/files/index.ts";
import { shownName } from "../text/index.ts";
import type { CardWords } from "./card-words.ts";
import { offlineRecap } from "./heuristic.ts";
import { asJobBefore } from "./jobs.ts";
import type { Reading } from "./read-session.ts";
import { isBranching, type Note, type SessionRecord, withHint } from "./record.ts";
import { currentRecord } from "./records.ts";
import { CUT } from "./requests.ts";
import { nextOf, pointsOf } from "./text.ts";

export interface RecordDetails {
	now: number;
	kind: SessionRecord["kind"];
	cwd: string;
	checkout?: Checkout | undefined;
	words: CardWords;
	note?: Note | undefined;
}

/**
 * Creates a record from a model's note. Fields that the note does not contain are generated without a
 * model. The record's id is empty.
 */
export function makeRecord(
	{ id, timeline, model, newest, handedOverFrom }: Reading,
	details: RecordDetails,
): SessionRecord {
	const offline = offlineRecap(timeline, details.words);
	const { note } = details;
	const own = {
		...(note ? withNote(offline, note) : offline),
		kind: details.kind,
		subject_id: id,
		created_at: Math.floor(details.now / 1000),
		...(handedOverFrom !== undefined && { handed_over_from: handedOverFrom }),
	};
	const hinted = withHint(own, model && { provider: model.provider, model: model.id });
	const job = asJobBefore(hinted, newest);
	return withCheckout(
		isBranching(newest, id) ? withHint(job, { branch_on_resume: true }) : job,
		details.cwd,
		details.checkout,
	);
}

export interface Prepared {
	reading: Reading;
	offline: SessionRecord;
	shown: SessionRecord;
}

export function prepare(
	reading: Reading,
	details: RecordDetails,
	notes?: Parameters<typeof currentRecord>[1],
): Prepared {
	const offline = makeRecord(reading, details);
	return { reading, offline, shown: currentRecord(reading, notes) ?? offline };
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
