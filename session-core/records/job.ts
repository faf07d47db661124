import type { Recap } from "../recap/record.ts";

/** The job that a headless run goes on from. */
export interface ParentJob {
	/** Its session. */
	jobId: string;
	recapId: string;
}

/** What the next run of a job is held to. */
export interface JobPolicy {
	/** Names of the tools that it may use. */
	tools: readonly string[];
	parent: ParentJob | undefined;
}

/**
 * The job that a session goes on from: the one that was said (`wanted`); else a fork begins with its parent's records (newest
 * first), which name another session.
 */
export function parentJob(
	records: readonly Recap[],
	sessionId: string,
	wanted: ParentJob | undefined,
): ParentJob | undefined {
	if (wanted && wanted.jobId !== sessionId) return wanted;
	const found = records.find(({ kind, subject_id }) => kind === "job" && subject_id !== sessionId);
	return found && { jobId: found.subject_id, recapId: found.id };
}

/** A job's record with what resuming it takes. Records of other kinds stay as they are. */
export function asJob(recap: Recap, { tools, parent }: JobPolicy): Recap {
	if (recap.kind !== "job") return recap;
	return {
		...recap,
		resume_hint: { seed_instruction: recap.next_actions[0] ?? "", ...recap.resume_hint, tools: [...tools] },
		...(parent && { parent_job_id: parent.jobId, resumed_from_recap_id: parent.recapId }),
	};
}
