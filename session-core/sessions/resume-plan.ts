import { type Entry, type Env, isFromTool, ownCommand, type Point, readWholeSession } from "../log/index.ts";
import {
	asTyped,
	idInFile,
	isBranching,
	type NextStep,
	needsAnswer,
	openOf,
	type PromptOrigin,
	type Sendable,
	type Sending,
	type SessionRecord,
	sendable,
} from "../recap/index.ts";
import { cleanText, commandLine } from "../text/index.ts";
import { asWords, onlyWords, RESUME_VARIABLE, RESUMED_FROM_VARIABLE, resumePrompt } from "./resume-prompt.ts";
import type { SessionSummary } from "./summary.ts";

export interface SendWish {
	/**
	 * Whether the next step is sent immediately instead of being inserted into the editor. A job always
	 * sends the next step.
	 */
	send?: boolean | undefined;
	message?: string | undefined;
	/** An earlier prompt from the session. Without `send`, the prompt is only inserted into the editor. */
	again?: Point | undefined;
}

export interface SendFacts extends PromptOrigin {
	recap: SessionRecord | undefined;
	wholeRequest: string | undefined;
}

export interface ResumeOptions {
	program?: string | undefined;
	recap?: SessionRecord | undefined;
	/** True if the session is continued in a fork. The default is the result of {@link isBranching}. */
	branch?: boolean | undefined;
	sending: Sending;
	again?: Point | undefined;
	copy?: string | undefined;
	/**
	 * True if the session's working directory exists (the default). If the directory is missing, pi
	 * starts in the current folder, and a job does not run.
	 */
	hasFolder?: boolean | undefined;
	/**
	 * True if another agent's session is continued in a new pi session. By default, the other agent
	 * resumes its own session.
	 */
	inPi?: boolean | undefined;
	env?: Env | undefined;
}

export interface ResumePlan {
	/** `job` means a headless run (`pi -p`) in a fork or a copy of the session. */
	kind: "session" | "job";
	session_id: string;
	session_file: string;
	command: string[];
	cwd: string;
	env: Record<string, string>;
	/** The complete command as a single line for sh, bash, zsh or fish. */
	command_line: string;
	branch: boolean;
	model?: { provider: string; model: string };
	/** The tools that a job may use. If undefined, all tools are allowed. */
	tools?: string[];
	seed_instruction?: string;
	prompt?: Sendable;
	needs_answer?: string;
	needs_answer_kind?: NextStep["kind"];
	not_sent?: string;
	parent_job_id?: string;
	resumed_from_recap_id?: string;
}

/** Decides whether a session is continued as a job, whether it is forked, and which model is used. */
export function resumeMode(
	session: SessionSummary,
	{ recap, branch, copy }: Pick<ResumeOptions, "recap" | "branch" | "copy">,
): Pick<ResumePlan, "kind" | "branch" | "model"> {
	const kind = kindOf(session, recap);
	const model = modelOf(session, recap);
	const isForked = kind === "job" || copy !== undefined || (branch ?? isBranching(recap, session.id));
	return { kind, branch: isForked, ...(model && { model }) };
}

/** Decides how a session is resumed, but does not change any files or start any programs. */
export function planResume(session: SessionSummary, options: ResumeOptions): ResumePlan {
	if (!session.format.canOpen) return planElsewhere(session, options);
	const { recap, again, copy, sending, program = "pi" } = options;
	const { kind, branch, model } = resumeMode(session, options);
	const isJob = kind === "job";
	const step = recap && openOf(recap).next;
	const held = sending.ok ? undefined : sending;
	const prompt = sending.ok ? sending.send : undefined;
	const env = isJob ? {} : waiting(options, prompt);
	const from = isJob ? idInFile(recap) : undefined;
	if (from !== undefined) env[RESUMED_FROM_VARIABLE] = `${session.id}/${from}`;
	const command = [
		program,
		...(isJob ? ["-p"] : []),
		branch && copy === undefined ? "--fork" : "--session",
		copy ?? session.path,
		...(isJob && model ? ["--provider", model.provider, "--model", model.model] : []),
		...(isJob ? toolsOf(recap) : []),
		...(prompt === undefined ? [] : [prompt]),
	];
	return {
		kind,
		session_id: session.id,
		session_file: copy ?? session.path,
		command,
		cwd: session.cwd,
		env,
		command_line: shellLine(command, isJob || options.hasFolder !== false ? session.cwd : "", env),
		branch,
		...(model && { model }),
		...(isJob && recap?.resume_hint?.tools && { tools: recap.resume_hint.tools }),
		...(step !== undefined && { seed_instruction: step.text }),
		...(prompt !== undefined && { prompt }),
		...(held?.reason === "planted" && { not_sent: again?.text ?? held.step?.text ?? "" }),
		...((held?.reason === "needs_answer" || held?.reason === "quoted") && {
			needs_answer: held.step.text,
			needs_answer_kind: held.reason === "quoted" ? "suggestion" : held.step.kind,
		}),
		...(isJob && { parent_job_id: session.id }),
		...(from !== undefined && { resumed_from_recap_id: from }),
	};
}

function planElsewhere(
	{ id, path, cwd, format }: SessionSummary,
	{ inPi, hasFolder, program = "pi", env: around = process.env }: ResumeOptions,
): ResumePlan {
	const handedOver = { command: [program], env: { [RESUME_VARIABLE]: `handover:${id}:${path}` } };
	const { command, env } = inPi ? handedOver : ownCommand(format, id, around);
	return {
		kind: "session",
		session_id: id,
		session_file: path,
		command,
		cwd,
		env,
		command_line: shellLine(command, hasFolder === false ? "" : cwd, env),
		branch: false,
	};
}

/**
 * Returns true if the session's next step was quoted from a tool's output, such as a repository file.
 */
export function isQuotedStep(step: NextStep | undefined, entries: Iterable<Entry>): boolean {
	return step?.kind === "step" && isFromTool(entries, step.text);
}

/**
 * Returns true if the next step would be sent to the agent although it was copied from a tool's output.
 * Also returns true if the session file cannot be read.
 */
export async function quotesTool(
	session: SessionSummary,
	wish: SendWish,
	recap: SessionRecord | undefined,
): Promise<boolean> {
	const next = recap && openOf(recap).next;
	if (!sendsStep(session, wish, recap) || next?.kind !== "step") return false;
	const read = await readWholeSession(session.path);
	return !read.ok || isQuotedStep(next, read.session.getEntries());
}

function kindOf({ kind }: SessionSummary, recap: SessionRecord | undefined): ResumePlan["kind"] {
	return recap?.kind ?? (kind === "headless" ? "job" : "session");
}

/**
 * Decides which text is sent when the session is resumed. If the next step needs an answer from the
 * user, that step is returned even if the user did not ask to send it.
 */
export function sendingOf(session: SessionSummary, wish: SendWish, facts: SendFacts): Sending {
	const sending = sendingOfAnyLength(session, wish, facts);
	const isTooLong = sending.ok && Buffer.byteLength(sending.send) > MAX_ARGUMENT;
	return isTooLong ? { ok: false, reason: "too_long" } : sending;
}

function sendingOfAnyLength(session: SessionSummary, wish: SendWish, facts: SendFacts): Sending {
	const { message, again } = wish;
	const { recap, wholeRequest } = facts;
	if (message !== undefined) return { ok: true, send: asTyped(onlyWords(message)) };
	const step = again ? undefined : recap && openOf(recap).next;
	if (!sendsStep(session, wish, recap))
		return step && needsAnswer(step)
			? { ok: false, reason: "needs_answer", step }
			: { ok: false, reason: "nothing" };
	const prompt = () => {
		if (again) return asWords(again.text);
		if (recap && kindOf(session, recap) === "job")
			return cleanText(resumePrompt(recap, step ?? { kind: "step", text: recap.headline }));
		return wholeRequest === undefined ? step && asWords(step.text) : onlyWords(wholeRequest);
	};
	const text = prompt();
	return text === undefined ? { ok: false, reason: "nothing" } : sendable(text, step, facts);
}

function sendsStep(
	session: SessionSummary,
	{ send, message }: SendWish,
	recap: SessionRecord | undefined,
): boolean {
	return message === undefined && (send === true || kindOf(session, recap) === "job");
}

function modelOf({ model }: SessionSummary, recap: SessionRecord | undefined): ResumePlan["model"] {
	const { provider, model: id } = recap?.resume_hint ?? {};
	if (provider !== undefined && id !== undefined) return { provider, model: id };
	return model && { provider: model.provider, model: model.id };
}

function toolsOf(recap: SessionRecord | undefined): string[] {
	const tools = recap?.resume_hint?.tools;
	if (!tools) return [];
	return tools.length === 0 ? ["--no-tools"] : ["--tools", tools.join(",")];
}

/**
 * The maximum size of a command-line argument in bytes. Linux allows 128 KiB, including the terminating
 * null byte.
 */
const MAX_ARGUMENT = 120_000;
/**
 * The maximum length of an environment variable in UTF-16 code units. Windows allows 32,767 code
 * units.
 */
const MAX_VALUE = 30_000;

function waiting({ recap, again }: ResumeOptions, prompt: string | undefined): Record<string, string> {
	if (prompt !== undefined) return {};
	if (again !== undefined) {
		const text = cleanText(again.text).trim();
		return { [RESUME_VARIABLE]: text.length > MAX_VALUE ? `entry:${again.id}` : `text:${text}` };
	}
	if (!recap) return {};
	// By the time pi starts, the session may have a newer record, so the command specifies the record's id.
	const id = idInFile(recap);
	return { [RESUME_VARIABLE]: id === undefined ? "next" : `record:${id}` };
}

export function shellLine(
	command: readonly string[],
	cwd: string,
	env: Readonly<Record<string, string>>,
): string {
	const set = Object.entries(env).map(([name, value]) => `${name}=${commandLine([value])}`);
	const run = [...set, commandLine(command)].join(" ");
	// In a shell, `cd` treats arguments such as `-` and `+1` as shortcuts, so `./` is added before such a path.
	const folder = /^[-+]/.test(cwd) ? `./${cwd}` : cwd;
	return cwd === "" ? run : `cd ${commandLine([folder])} && ${run}`;
}
