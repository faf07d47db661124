import type { SessionSummary } from "../catalog/summary.ts";
import type { SessionRecord } from "../recap/record.ts";
import { cleanText } from "../text/sanitize.ts";
import { commandLine } from "../timeline/command-line.ts";
import { asWords, beginningOf, isBranching, isQuestion, resumePrompt } from "./prompt.ts";
import { fitsArgument, RESUME_VARIABLE, RESUMED_FROM_VARIABLE, waitingValue } from "./variables.ts";

/** The session that is resumed. */
export type Resumed = Pick<SessionSummary, "path" | "id" | "cwd" | "kind" | "model">;

/** A prompt, and the entry that it stands in. */
export interface AgainPrompt {
	text: string;
	entryId: string;
}

export interface ResumeWish {
	/** The record to go on from. Undefined: the session has none. */
	recap?: SessionRecord | undefined;
	/** Go on in a fork; undefined: as the record says. A job is always a new one. */
	branch?: boolean | undefined;
	/** Send the next step at once; otherwise it waits in the editor. A job's is always sent. */
	send?: boolean | undefined;
	/** What to go on with, in the user's words, instead of the record's next step. */
	message?: string | undefined;
	/** A prompt of an earlier point, to be put differently: it waits in the editor, or is sent where `send` says so and it is not too long. */
	again?: AgainPrompt | undefined;
	/** A copy that was made to go on in: a fork at an earlier point, or a repaired file. */
	copy?: string | undefined;
}

/** How a session or a job is resumed. Plain data, as it goes to whoever runs it. */
export interface ResumePlan {
	/** `job`: a new headless run that goes on from the record; it ends by itself. */
	kind: "session" | "job";
	session_id: string;
	session_file: string;
	/** The program and its arguments. */
	command: string[];
	/** The folder that it is started in: the session's own. Empty if unknown. */
	cwd: string;
	/** To be set for it beside the environment that is there. */
	env: Record<string, string>;
	/** All of it as one line for a POSIX shell. */
	command_line: string;
	/** Whether the original stays as it is and the work goes on in a new session. */
	branch: boolean;
	model?: { provider: string; model: string };
	/** What the record says that resuming begins with. */
	seed_instruction?: string;
	/** What is sent when it starts; absent where nothing is. */
	prompt?: string;
	/** The next step is this question to the user: nothing is sent until they answer (`message`). A job cannot go on without. */
	needs_answer?: string;
	/** Of a job: the session of the one that it goes on from, and the record. */
	parent_job_id?: string;
	resumed_from_recap_id?: string;
}

/** How a session is resumed: what its record and its own settings say, and what was wished for. Pure; runs nothing. */
export function planResume(session: Resumed, wish: ResumeWish = {}): ResumePlan {
	const { recap } = wish;
	const kind = recap?.kind ?? (session.kind === "headless" ? "job" : "session");
	const isJob = kind === "job";
	const model = modelOf(session, recap);
	const seed = recap && beginningOf(recap);
	const isAsked = wish.message === undefined && wish.again === undefined;
	const answer = isAsked && seed !== undefined && isQuestion(seed) ? seed : undefined;
	const prompt = promptOf(wish, { isJob, seed, answer });
	const isCopy = wish.copy !== undefined;
	const branch = isJob || isCopy || (wish.branch ?? (recap !== undefined && isBranching(recap)));
	const env = isJob ? linkOf(session, recap) : waiting(wish, prompt);
	const command = [
		"pi",
		...(isJob ? ["-p"] : []),
		branch && !isCopy ? "--fork" : "--session",
		wish.copy ?? session.path,
		...(isJob && model ? ["--provider", model.provider, "--model", model.model] : []),
		...(isJob ? toolsOf(recap) : []),
		...(prompt === undefined ? [] : [prompt]),
	];
	return {
		kind,
		session_id: session.id,
		session_file: wish.copy ?? session.path,
		command,
		cwd: session.cwd,
		env,
		command_line: lineOf(command, session.cwd, env),
		branch,
		...(model && { model }),
		...(seed !== undefined && { seed_instruction: seed }),
		...(prompt !== undefined && { prompt }),
		...(answer !== undefined && { needs_answer: answer }),
		...(isJob && { parent_job_id: session.id }),
		...(isJob && isStored(recap) && { resumed_from_recap_id: recap.id }),
	};
}

function promptOf(
	{ recap, message, again, send }: ResumeWish,
	{ isJob, seed, answer }: { isJob: boolean; seed: string | undefined; answer: string | undefined },
): string | undefined {
	const isSent = isJob || send === true;
	if (message !== undefined) return resumed(recap, message);
	if (again !== undefined) return isSent && fitsArgument(again.text) ? asWords(again.text) : undefined;
	if (!isSent || answer !== undefined || !recap) return undefined;
	// A headless run cannot start without a prompt; a session in which nothing is open waits for the user's.
	const action = seed ?? (isJob ? recap.headline : undefined);
	if (action === undefined) return undefined;
	return isJob ? cleanText(resumePrompt(recap, action)) : asWords(action);
}

/** The user's words; a question that they answer stands above them. */
function resumed(recap: SessionRecord | undefined, message: string): string {
	const text = asWords(message);
	const seed = recap && beginningOf(recap);
	const asked = seed !== undefined && isQuestion(seed) && recap ? resumePrompt(recap, seed).trimEnd() : "";
	return asked === "" ? text : `${asked}\n\n${text}`;
}

function modelOf({ model }: Resumed, recap: SessionRecord | undefined): ResumePlan["model"] {
	const { provider, model: id } = recap?.resume_hint ?? {};
	if (provider !== undefined && id !== undefined) return { provider, model: id };
	return model && { provider: model.provider, model: model.id };
}

function toolsOf(recap: SessionRecord | undefined): string[] {
	const tools = recap?.resume_hint?.tools;
	if (!tools) return [];
	return tools.length === 0 ? ["--no-tools"] : ["--tools", tools.join(",")];
}

function linkOf({ id }: Resumed, recap: SessionRecord | undefined): Record<string, string> {
	return isStored(recap) ? { [RESUMED_FROM_VARIABLE]: `${id}/${recap.id}` } : {};
}

/** One that was only made to be shown has no id, and nothing can be tied to it. */
function isStored(recap: SessionRecord | undefined): recap is SessionRecord {
	return recap !== undefined && recap.id !== "";
}

function waiting({ recap, again }: ResumeWish, prompt: string | undefined): Record<string, string> {
	if (prompt !== undefined) return {};
	if (again !== undefined) {
		const text = cleanText(again.text).trim();
		return { [RESUME_VARIABLE]: waitingValue({ type: "text", text }, again.entryId) };
	}
	if (!recap) return {};
	// By the time that pi starts, a newer record may be there.
	return {
		[RESUME_VARIABLE]: waitingValue(isStored(recap) ? { type: "record", id: recap.id } : { type: "next" }),
	};
}

function lineOf(command: readonly string[], cwd: string, env: Readonly<Record<string, string>>): string {
	const set = Object.entries(env).map(([name, value]) => `${name}=${commandLine([value])}`);
	const run = [...set, commandLine(command)].join(" ");
	return cwd === "" ? run : `cd ${commandLine([cwd])} && ${run}`;
}
