import { type SessionRecord, withHint } from "./record.ts";

/** The job that a headless run continues. */
export interface ParentJob {
	/** The job's session. */
	jobId: string;
	recapId: string;
}

/** What a job's next run is allowed to do. */
export interface JobPolicy {
	/** The names of the allowed tools. */
	tools: readonly string[];
	parent: ParentJob | undefined;
}

/**
 * Returns the job that a session continues: `wanted` if it names another session, otherwise the newest job in the records that a fork
 * inherits from its parent.
 */
export function parentJob(
	records: readonly SessionRecord[],
	sessionId: string,
	wanted: ParentJob | undefined,
): ParentJob | undefined {
	if (wanted && wanted.jobId !== sessionId) return wanted;
	const found = records.find(({ kind, subject_id }) => kind === "job" && subject_id !== sessionId);
	return found && { jobId: found.subject_id, recapId: found.id };
}

/** Adds to a job's record what is needed to resume it. Records of other kinds are returned unchanged. */
export function asJob(recap: SessionRecord, { tools, parent }: JobPolicy): SessionRecord {
	if (recap.kind !== "job") return recap;
	return {
		...withHint(recap, { tools: [...tools] }),
		...(parent && { parent_job_id: parent.jobId, resumed_from_recap_id: parent.recapId }),
	};
}

/**
 * Like {@link asJob}, but for programs other than the host. For such programs, the newest record in the file (`before`) is the only source
 * for the tools that the job's next run may use and for the job that it continues.
 */
export function asJobBefore(recap: SessionRecord, before: SessionRecord | undefined): SessionRecord {
	const tools = before?.resume_hint?.tools;
	if (recap.kind !== "job" || before?.kind !== "job") return recap;
	const { parent_job_id: jobId, resumed_from_recap_id: recapId } = before;
	const isOwn = before.subject_id === recap.subject_id;
	const known = jobId !== undefined && recapId !== undefined ? { jobId, recapId } : undefined;
	const parent = isOwn ? known : parentJob([before], recap.subject_id, undefined);
	const linked: SessionRecord = {
		...recap,
		...(parent && { parent_job_id: parent.jobId, resumed_from_recap_id: parent.recapId }),
	};
	return tools ? asJob(linked, { tools, parent }) : linked;
}
