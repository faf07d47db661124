import type { Checkout } from "../repository.ts";
import type { Reading } from "../session-view/read-session.ts";
import { shownName } from "../text/shown-line.ts";
import type { CardWords } from "../words/card-words.ts";
import { offlineRecap } from "./heuristic.ts";
import { asJobBefore } from "./job.ts";
import type { SessionRecord } from "./record.ts";

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
}

/** Returns a record of the state of a conversation, generated offline. */
export function makeRecord(
	{ timeline, model, branches, handedOverFrom }: Reading,
	stamp: RecordStamp,
): SessionRecord {
	const { recap: made } = offlineRecap(timeline, stamp.words);
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
