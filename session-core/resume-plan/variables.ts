import { type AgentId, readAgent } from "../agents/agents.ts";

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

const NEXT_STEP = "next";
const RECORD = "record:";
const TEXT = "text:";
const ENTRY = "entry:";
const HANDOVER = "handover:";

/**
 * What to put into the editor. `next`: the session's next step. `record`: the next step of the record with this id. `text`: this text.
 * `entry`: the complete prompt in an entry of the session from which the opened session was forked. `handover`: the prompt that continues
 * this session of another agent.
 */
export type Waiting =
	| { type: "next" }
	| { type: "record"; id: string }
	| { type: "text"; text: string }
	| { type: "entry"; id: string }
	| { type: "handover"; agent: AgentId; id: string };

/** Maximum length of a variable's value in code units. Windows allows 32,767 code units, and Linux 128 KiB of UTF-8. */
const MAX_VALUE = 30_000;

/**
 * Returns the value of the environment variable. A prompt that is too long is replaced by a reference to its entry, if the entry is known.
 */
export function waitingValue(waiting: Waiting, entryId?: string): string {
	switch (waiting.type) {
		case "next":
			return NEXT_STEP;
		case "record":
			return RECORD + waiting.id;
		case "entry":
			return ENTRY + waiting.id;
		case "handover":
			return `${HANDOVER}${waiting.agent}/${waiting.id}`;
		case "text":
			return waiting.text.length > MAX_VALUE && entryId !== undefined ? ENTRY + entryId : TEXT + waiting.text;
	}
}

/** Parses the value of the environment variable. Returns undefined for any other text. */
export function readWaiting(value: string | undefined): Waiting | undefined {
	if (value === NEXT_STEP) return { type: "next" };
	if (value?.startsWith(TEXT)) return { type: "text", text: value.slice(TEXT.length) };
	if (value?.startsWith(RECORD)) return { type: "record", id: value.slice(RECORD.length) };
	if (value?.startsWith(HANDOVER)) {
		const [name, id = ""] = value.slice(HANDOVER.length).split("/", 2);
		const agent = readAgent(name);
		return agent && { type: "handover", agent, id };
	}
	return value?.startsWith(ENTRY) ? { type: "entry", id: value.slice(ENTRY.length) } : undefined;
}

/** Maximum number of bytes in one command-line argument. Linux allows 128 KiB, including the terminator. */
const MAX_ARGUMENT = 120_000;

/** Whether a prompt can be sent as an argument of a command. */
export function fitsArgument(prompt: string): boolean {
	return Buffer.byteLength(prompt) <= MAX_ARGUMENT;
}

const JOB = /^([\w.-]{1,100})\/([\w.-]{1,100})$/;

/** Parses the environment variable of a job. Returns undefined for any other text. */
export function resumedJob(value: string | undefined): { jobId: string; recapId: string } | undefined {
	const [, jobId, recapId] = JOB.exec(value ?? "") ?? [];
	return jobId === undefined || recapId === undefined ? undefined : { jobId, recapId };
}
