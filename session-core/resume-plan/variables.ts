/**
 * The environment variable that tells a new pi process what to put into the editor: the session's next step, like the `/resume-here`
 * command, or a prompt.
 */
export const RESUME_VARIABLE = "PI_SESSION_SUITE_RESUME";
/**
 * The environment variable that tells a new job which job it continues. It contains the ids of that job's session and record, separated by
 * a slash.
 */
export const RESUMED_FROM_VARIABLE = "PI_SESSION_SUITE_RESUMED_FROM";

/**
 * What to put into the editor. `next`: the session's next step. `record`: the next step of the record with this id. `text`: this text.
 * `entry`: the complete prompt in the entry with this id, of the session from which the opened session was forked. `handover`: the prompt
 * that continues this session, which pi cannot open, `id:path`.
 */
export interface Waiting {
	type: "next" | "record" | "text" | "entry" | "handover";
	value: string;
}

/** Parses the value of the environment variable, `type:value`. Returns undefined for any other text. */
export function readWaiting(variable = ""): Waiting | undefined {
	const [, type, value = ""] = /^(next|record|text|entry|handover)(?::|$)(.*)$/s.exec(variable) ?? [];
	return type === undefined ? undefined : { type: type as Waiting["type"], value };
}

/** Parses the environment variable of a job. Returns undefined for any other text. */
export function resumedJob(variable = ""): { jobId: string; recapId: string } | undefined {
	const [, jobId, recapId] = /^([\w.-]{1,100})\/([\w.-]{1,100})$/.exec(variable) ?? [];
	return jobId === undefined || recapId === undefined ? undefined : { jobId, recapId };
}
