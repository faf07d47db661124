/** Asks the pi that is started to put something into the editor: the session's next step, as `/resume-here` does, or a text. */
export const RESUME_VARIABLE = "PI_SESSION_SUITE_RESUME";
/** Tells a job that is started which one it goes on from: that one's session and record, with a slash between them. */
export const RESUMED_FROM_VARIABLE = "PI_SESSION_SUITE_RESUMED_FROM";

export const NEXT_STEP = "next";
export const TEXT = "text:";

/** What such a variable asks for: a text, or (null) the session's next step. Undefined for anything else. */
export function waitingText(value: string | undefined): string | null | undefined {
	if (value === NEXT_STEP) return null;
	return value?.startsWith(TEXT) ? value.slice(TEXT.length) : undefined;
}

const JOB = /^([\w.-]{1,100})\/([\w.-]{1,100})$/;

/** The job that such a variable names; undefined for anything else. */
export function resumedJob(value: string | undefined): { jobId: string; recapId: string } | undefined {
	const [, jobId, recapId] = JOB.exec(value ?? "") ?? [];
	return jobId === undefined || recapId === undefined ? undefined : { jobId, recapId };
}
