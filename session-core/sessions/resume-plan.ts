import { type Entry, type Env, isFromTool, ownCommand, readWholeSession } from "../log/index.ts";
import { type NextStep, openOf, type SessionRecord } from "../recap/index.ts";
import { cleanText, commandLine } from "../text/index.ts";
import { couldBePlanted, type Place } from "./planted.ts";
import {
	asWords,
	isBranching,
	isSendable,
	onlyWords,
	RESUME_VARIABLE,
	RESUMED_FROM_VARIABLE,
	resumePrompt,
} from "./resume-prompt.ts";
import type { SessionSummary } from "./summary.ts";

export type Resumed = Pick<
	SessionSummary,
	"path" | "id" | "format" | "cwd" | "kind" | "model" | "parentSession"
>;

export interface AgainPrompt {
	text: string;
	entryId: string;
}

export interface ResumeOptions {
	program?: string | undefined;
	recap?: SessionRecord | undefined;
	/** Whether the session continues in a fork. By default, the session's record decides. */
	branch?: boolean | undefined;
	/**
	 * Whether the next step is sent immediately instead of being inserted into the editor. A job always
	 * sends the next step.
	 */
	send?: boolean | undefined;
	place?: Place | undefined;
	wholeRequest?: string | undefined;
	message?: string | undefined;
	/**
	 * Whether the next step is quoted from a tool's output. The user must read such a step before it is
	 * sent.
	 */
	quotesTool?: boolean | undefined;
	/** An earlier prompt of the session, which is inserted into the editor or, if `send` is set, sent. */
	again?: AgainPrompt | undefined;
	copy?: string | undefined;
	/**
	 * If the session's working directory does not exist, pi starts in the current folder, and a job does
	 * not run. The default is true.
	 */
	hasFolder?: boolean | undefined;
	/** Whether another agent's session is continued in pi instead of being resumed by its own program. */
	inPi?: boolean | undefined;
	env?: Env | undefined;
}

export interface ResumePlan {
	/** A `job` is a new headless run that continues from the record. */
	kind: "session" | "job";
	session_id: string;
	session_file: string;
	command: string[];
	cwd: string;
	env: Record<string, string>;
	/** The complete command as one line for sh, bash, zsh or fish. */
	command_line: string;
	branch: boolean;
	model?: { provider: string; model: string };
	/** The tools that a job may use. By default, all tools are allowed. */
	tools?: string[];
	seed_instruction?: string;
	prompt?: string;
	needs_answer?: string;
	needs_answer_kind?: NextStep["kind"];
	not_sent?: string;
	parent_job_id?: string;
	resumed_from_recap_id?: string;
}

/** Decides how a session is resumed, without changing any file or starting a program. */
export function planResume(session: Resumed, wanted: ResumeOptions = {}): ResumePlan {
	if (!session.format.canOpen) return planElsewhere(session, wanted);
	const isWithheld = withholdsStep(session, wanted);
	const options = isWithheld ? { ...wanted, send: false } : wanted;
	const { recap, again, program = "pi" } = options;
	const kind = kindOf(session, recap);
	const isJob = kind === "job";
	const model = modelOf(session, recap);
	const seed = stepOf(options);
	const question = seed !== undefined && !isSendable(seed) ? seed : undefined;
	const answer = options.message === undefined && again === undefined ? question : undefined;
	const prompt = isWithheld && isJob ? undefined : promptOf(options, isJob, seed);
	const isCopy = options.copy !== undefined;
	const branch =
		isJob || isCopy || (options.branch ?? (recap !== undefined && isBranching(recap, session.id)));
	const env = isJob ? {} : waiting(options, prompt);
	if (isJob && isStored(recap)) env[RESUMED_FROM_VARIABLE] = `${session.id}/${recap.id}`;
	const command = [
		program,
		...(isJob ? ["-p"] : []),
		branch && !isCopy ? "--fork" : "--session",
		options.copy ?? session.path,
		...(isJob && model ? ["--provider", model.provider, "--model", model.model] : []),
		...(isJob ? toolsOf(recap) : []),
		...(prompt === undefined ? [] : [prompt]),
	];
	return {
		kind,
		session_id: session.id,
		session_file: options.copy ?? session.path,
		command,
		cwd: session.cwd,
		env,
		command_line: shellLine(command, isJob || options.hasFolder !== false ? session.cwd : "", env),
		branch,
		...(model && { model }),
		...(isJob && recap?.resume_hint?.tools && { tools: recap.resume_hint.tools }),
		...(seed !== undefined && { seed_instruction: seed.text }),
		...(prompt !== undefined && { prompt }),
		...(answer !== undefined && { needs_answer: answer.text, needs_answer_kind: answer.kind }),
		...(isWithheld && { not_sent: again?.text ?? seed?.text ?? "" }),
		...(isJob && { parent_job_id: session.id }),
		...(isJob && isStored(recap) && { resumed_from_recap_id: recap.id }),
	};
}

function planElsewhere(
	{ id, path, cwd, format }: Resumed,
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

function stepOf({ recap, quotesTool: isQuoted }: ResumeOptions): NextStep | undefined {
	const next = recap && openOf(recap).next;
	return isQuoted && next ? { ...next, kind: "suggestion" } : next;
}

/** Returns true if the agent quoted the step from a tool's output, such as a file in the repository. */
export function isQuotedStep(step: NextStep | undefined, entries: Iterable<Entry>): boolean {
	return step?.kind === "step" && isFromTool(entries, step.text);
}

/**
 * Like {@link isQuotedStep}, for the step that a plan would send. If the session cannot be read, the
 * step is assumed to be quoted.
 */
export async function quotesTool(
	session: Resumed,
	{ recap, send, message }: Pick<ResumeOptions, "recap" | "send" | "message">,
): Promise<boolean> {
	const next = recap && openOf(recap).next;
	const isSent = message === undefined && (send || kindOf(session, recap) === "job");
	if (!isSent || next?.kind !== "step") return false;
	const read = await readWholeSession(session.path);
	return !read.ok || isQuotedStep(next, read.session.getEntries());
}

function kindOf({ kind }: Resumed, recap: SessionRecord | undefined): ResumePlan["kind"] {
	return recap?.kind ?? (kind === "headless" ? "job" : "session");
}

function promptOf(
	{ recap, message, again, send, wholeRequest }: ResumeOptions,
	isJob: boolean,
	seed: NextStep | undefined,
): string | undefined {
	if (message !== undefined) return onlyWords(message);
	if (!isJob && !send) return undefined;
	if (again !== undefined)
		return Buffer.byteLength(again.text) <= MAX_ARGUMENT ? asWords(again.text) : undefined;
	if ((seed && !isSendable(seed)) || !recap) return undefined;
	if (isJob) return cleanText(resumePrompt(recap, seed ?? { kind: "step", text: recap.headline }));
	if (wholeRequest === undefined) return seed && asWords(seed.text);
	return Buffer.byteLength(wholeRequest) <= MAX_ARGUMENT ? onlyWords(wholeRequest) : undefined;
}

/**
 * A next step that may come from a repository must be seen by the user before it is sent. A job always
 * sends its step.
 */
function withholdsStep(
	session: Resumed,
	{ recap, send, message, place }: Pick<ResumeOptions, "recap" | "send" | "message" | "place">,
): boolean {
	const isSent = message === undefined && (send === true || kindOf(session, recap) === "job");
	return isSent && place !== undefined && couldBePlanted(session, place);
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

/** A record that was created only for display has an empty id. */
function isStored(recap: SessionRecord | undefined): recap is SessionRecord {
	return recap !== undefined && recap.id !== "";
}

/**
 * The maximum size of a command-line argument in bytes. Linux allows 128 KiB, including the terminating
 * null byte.
 */
const MAX_ARGUMENT = 120_000;
/**
 * The maximum length of an environment variable in UTF-16 code units. Windows allows 32,767 code units.
 */
const MAX_VALUE = 30_000;

function waiting({ recap, again }: ResumeOptions, prompt: string | undefined): Record<string, string> {
	if (prompt !== undefined) return {};
	if (again !== undefined) {
		const text = cleanText(again.text).trim();
		return { [RESUME_VARIABLE]: text.length > MAX_VALUE ? `entry:${again.entryId}` : `text:${text}` };
	}
	if (!recap) return {};
	// The record is identified by its id, because the session may have a newer record when pi starts.
	return { [RESUME_VARIABLE]: isStored(recap) ? `record:${recap.id}` : "next" };
}

export function shellLine(
	command: readonly string[],
	cwd: string,
	env: Readonly<Record<string, string>>,
): string {
	const set = Object.entries(env).map(([name, value]) => `${name}=${commandLine([value])}`);
	const run = [...set, commandLine(command)].join(" ");
	// The name of a folder may begin with a hyphen, and `cd -` would change to the previous folder.
	const folder = /^[-+]/.test(cwd) ? `./${cwd}` : cwd;
	return cwd === "" ? run : `cd ${commandLine([folder])} && ${run}`;
}
