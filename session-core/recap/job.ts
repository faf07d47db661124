import { type SessionRecord, withHint } from "./record.ts";

/** The job that a headless run continues, by its session and its record; empty if there is none. */
export type ParentJob = Pick<SessionRecord, "parent_job_id" | "resumed_from_recap_id">;

/** `wanted` if it names another session, otherwise the newest job that a fork inherits from its parent. */
export function parentJob(
	records: readonly SessionRecord[],
	sessionId: string,
	wanted: ParentJob = {},
): ParentJob {
	if (wanted.parent_job_id !== undefined && wanted.parent_job_id !== sessionId) return wanted;
	const found = records.find(({ kind, subject_id }) => kind === "job" && subject_id !== sessionId);
	return found ? { parent_job_id: found.subject_id, resumed_from_recap_id: found.id } : {};
}

/** Adds the allowed tools and the parent to a job's record. Records of other kinds are returned unchanged. */
export function asJob(
	recap: SessionRecord,
	{ tools, ...parent }: ParentJob & { tools: string[] | undefined },
): SessionRecord {
	if (recap.kind !== "job") return recap;
	return { ...(tools ? withHint(recap, { tools }) : recap), ...parent };
}

/** Outside the host, only the newest record in the file (`before`) names the tools and the parent of the next run. */
export function asJobBefore(recap: SessionRecord, before: SessionRecord | undefined): SessionRecord {
	if (before?.kind !== "job") return recap;
	const { parent_job_id, resumed_from_recap_id, resume_hint: hint } = before;
	const known =
		parent_job_id === undefined || resumed_from_recap_id === undefined
			? {}
			: { parent_job_id, resumed_from_recap_id };
	const isOwn = before.subject_id === recap.subject_id;
	return asJob(recap, { tools: hint?.tools, ...(isOwn ? known : parentJob([before], recap.subject_id)) });
}
