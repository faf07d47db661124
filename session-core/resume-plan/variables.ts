/** Asks the pi that is started to put something into the editor: the session's next step, as `/resume-here` does, or a prompt. */
export const RESUME_VARIABLE = "PI_SESSION_SUITE_RESUME";
/** Tells a job that is started which one it goes on from: that one's session and record, with a slash between them. */
export const RESUMED_FROM_VARIABLE = "PI_SESSION_SUITE_RESUMED_FROM";

const NEXT_STEP = "next";
const RECORD = "record:";
const TEXT = "text:";
const ENTRY = "entry:";

/** What is to wait in the editor. `next`: the session's next step. `record`: the one of this record. `entry`: a prompt of the session that the opened one was forked from, where it stands whole. */
export type Waiting =
	| { type: "next" }
	| { type: "record"; id: string }
	| { type: "text"; text: string }
	| { type: "entry"; id: string };

/** Code units of a variable's value: Windows takes 32,767, Linux 128 KiB of UTF-8. */
const MAX_VALUE = 30_000;

/** The variable's value. A prompt that is too long for one is named by its entry, where that is known. */
export function waitingValue(waiting: Waiting, entryId?: string): string {
	switch (waiting.type) {
		case "next":
			return NEXT_STEP;
		case "record":
			return RECORD + waiting.id;
		case "entry":
			return ENTRY + waiting.id;
		case "text":
			return waiting.text.length > MAX_VALUE && entryId !== undefined ? ENTRY + entryId : TEXT + waiting.text;
	}
}

/** What such a variable asks for; undefined for anything else. */
export function readWaiting(value: string | undefined): Waiting | undefined {
	if (value === NEXT_STEP) return { type: "next" };
	if (value?.startsWith(TEXT)) return { type: "text", text: value.slice(TEXT.length) };
	if (value?.startsWith(RECORD)) return { type: "record", id: value.slice(RECORD.length) };
	return value?.startsWith(ENTRY) ? { type: "entry", id: value.slice(ENTRY.length) } : undefined;
}

/** Bytes of one argument: Linux takes 128 KiB of it, its end included. */
const MAX_ARGUMENT = 120_000;

/** Whether a prompt can be sent as an argument of a command. */
export function fitsArgument(prompt: string): boolean {
	return Buffer.byteLength(prompt) <= MAX_ARGUMENT;
}

const JOB = /^([\w.-]{1,100})\/([\w.-]{1,100})$/;

/** The job that such a variable names; undefined for anything else. */
export function resumedJob(value: string | undefined): { jobId: string; recapId: string } | undefined {
	const [, jobId, recapId] = JOB.exec(value ?? "") ?? [];
	return jobId === undefined || recapId === undefined ? undefined : { jobId, recapId };
}
