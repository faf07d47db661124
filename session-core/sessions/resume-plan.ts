import { statSync } from "node:fs";
import {
	checkSession,
	type Env,
	isFromTool,
	ownCommand,
	readWholeSession,
	type SessionFileFailure,
} from "../log/index.ts";
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

/** Why pi must not open a session's file. `damaged` means that pi could lose part of the file, but that a copy may be repaired. */
export interface FileObstacle {
	reason: Exclude<SessionFileFailure, "not_session"> | "too_large" | "damaged";
	detail: string;
}

/**
 * Returns the reason that pi must not open a session's file. `tooLarge` returns the reason that pi cannot open a file of a given size in
 * bytes.
 */
export async function fileObstacle(
	path: string,
	tooLarge: (size: number) => string | undefined | Promise<string | undefined>,
): Promise<FileObstacle | undefined> {
	const detail = await tooLarge(statSync(path, { throwIfNoEntry: false })?.size ?? 0);
	if (detail !== undefined) return { reason: "too_large", detail };
	const check = await checkSession(path);
	if (!check.ok) return check;
	return check.sound ? undefined : { reason: "damaged", detail: `${path} is damaged` };
}

export type Resumed = Pick<
	SessionSummary,
	"path" | "id" | "format" | "cwd" | "kind" | "model" | "parentSession"
>;

export interface AgainPrompt {
	text: string;
	entryId: string;
}

export interface ResumeOptions {
	/** The host's program, which is `pi` by default. */
	program?: string | undefined;
	/** The record from which the session continues, or undefined if the session has no record. */
	recap?: SessionRecord | undefined;
	/** Whether to continue in a fork. If undefined, the record decides. A job always continues in a new session. */
	branch?: boolean | undefined;
	/** Whether to send the next step immediately instead of inserting it into the editor. For a job, the next step is always sent. */
	send?: boolean | undefined;
	/** The user's current place, which shows whether a repository could have written the session. If the place is unknown, no step is sent. */
	place?: Place | undefined;
	/** The complete text of the request with which the session continues. The record contains only one line of an interrupted request. */
	wholeRequest?: string | undefined;
	message?: string | undefined;
	/** Whether the agent only quotes the next step from a tool's output, so that the user must read the step before it is sent. */
	quotesTool?: boolean | undefined;
	/** The prompt to insert into the editor. If `send` is set, the prompt is sent instead, unless it is too long. */
	again?: AgainPrompt | undefined;
	/** The path of a copy with which the work continues: a fork from an earlier entry, or a repaired file. */
	copy?: string | undefined;
	/**
	 * Whether the session's working directory exists (the default). If it does not exist, pi starts in the current folder and asks where to
	 * continue, and a job does not run.
	 */
	hasFolder?: boolean | undefined;
	/** Whether a session that pi cannot open is handed over to a new pi session instead of being resumed by its own program. */
	inPi?: boolean | undefined;
	/** The environment in which the session's own program is started. By default, this process's environment is used. */
	env?: Env | undefined;
}

export interface ResumePlan {
	/** What the plan starts: the session itself (`session`), or a new headless run that continues from the record (`job`). */
	kind: "session" | "job";
	session_id: string;
	session_file: string;
	command: string[];
	/** The working directory of the session, or an empty string if the directory is unknown. */
	cwd: string;
	env: Record<string, string>;
	/** The complete command as one line for sh, bash, zsh or fish. */
	command_line: string;
	/** Whether the work continues in a new session, so that the original one remains unchanged. */
	branch: boolean;
	model?: { provider: string; model: string };
	/** The tools that a job may use. Undefined if the record does not limit the tools, or if the plan is not for a job. */
	tools?: string[];
	seed_instruction?: string;
	/** The prompt that is sent at the start. Undefined if no prompt is sent. */
	prompt?: string;
	/** The agent's question, request or offer. Until the user answers it (`message`), nothing is sent and no job continues. */
	needs_answer?: string;
	needs_answer_kind?: NextStep["kind"];
	/** The next step that the user wanted to send, but that is not sent because a repository could have written the session. */
	not_sent?: string;
	/** The session of the job that a new job continues. `resumed_from_recap_id` is that job's record. */
	parent_job_id?: string;
	resumed_from_recap_id?: string;
}

/** Decides how a session is resumed, from its record, its settings and the user's options. Changes nothing and starts no program. */
export function planResume(session: Resumed, wanted: ResumeOptions = {}): ResumePlan {
	if (!session.format.canOpen) return planElsewhere(session, wanted);
	const isWithheld = withholdsStep(session, wanted);
	const options = isWithheld ? { ...wanted, send: false } : wanted;
	const { recap, again, program = "pi" } = options;
	const kind = recap?.kind ?? (session.kind === "headless" ? "job" : "session");
	const isJob = kind === "job";
	const model = modelOf(session, recap);
	const seed = stepOf(options);
	const question = seed !== undefined && !isSendable(seed) ? seed : undefined;
	const answer = options.message === undefined && again === undefined ? question : undefined;
	const prompt = promptOf(options, isJob, seed);
	const isCopy = options.copy !== undefined;
	const branch = isJob || isCopy || (options.branch ?? (recap !== undefined && isBranching(recap)));
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

/**
 * Resolves to whether the agent only quotes the next step from a tool's output, for example from a file of the repository. If the file cannot
 * be read, the step counts as quoted.
 */
export async function quotesTool({ path }: Resumed, recap: SessionRecord | undefined): Promise<boolean> {
	const next = recap && openOf(recap).next;
	if (next?.kind !== "step") return false;
	const read = await readWholeSession(path);
	return !read.ok || isFromTool(read.session.getEntries(), next.text);
}

/** Returns the prompt to send. `seed` is the open item with which the session continues. */
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
	// A headless run needs a prompt to start.
	if (isJob) return cleanText(resumePrompt(recap, seed ?? { kind: "step", text: recap.headline }));
	if (wholeRequest === undefined) return seed && asWords(seed.text);
	return Buffer.byteLength(wholeRequest) <= MAX_ARGUMENT ? onlyWords(wholeRequest) : undefined;
}

/** Returns whether a next step is withheld because a repository could have written it. The user's own words are always sent. */
export function withholdsStep(
	session: Resumed,
	{ send, message, place }: Pick<ResumeOptions, "send" | "message" | "place">,
): boolean {
	return send === true && message === undefined && place !== undefined && couldBePlanted(session, place);
}

/**
 * Returns why a plan must not be carried out, or undefined if it may. `no_step` means that there is no next step to send. A headless run
 * cannot wait for an answer (`needs_answer`) or for another folder (`no_folder`).
 */
export function obstacleToPlan(
	{ kind, prompt, seed_instruction: seed, needs_answer }: ResumePlan,
	{ send, again, hasFolder }: Pick<ResumeOptions, "send" | "again" | "hasFolder">,
): "no_step" | "needs_answer" | "no_folder" | undefined {
	if (send && prompt === undefined && seed === undefined && again === undefined) return "no_step";
	if (kind === "session") return undefined;
	if (needs_answer !== undefined) return "needs_answer";
	return hasFolder === false ? "no_folder" : undefined;
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

/** Returns whether the record is stored. A record that was created only for display has no id, so nothing can refer to it. */
function isStored(recap: SessionRecord | undefined): recap is SessionRecord {
	return recap !== undefined && recap.id !== "";
}

/** The maximum size of a command-line argument in bytes. Linux allows 128 KiB, including the terminator. */
const MAX_ARGUMENT = 120_000;
/** The maximum length of an environment variable's value in code units. Windows allows 32,767 code units, and Linux 128 KiB of UTF-8. */
const MAX_VALUE = 30_000;

function waiting({ recap, again }: ResumeOptions, prompt: string | undefined): Record<string, string> {
	if (prompt !== undefined) return {};
	if (again !== undefined) {
		const text = cleanText(again.text).trim();
		return { [RESUME_VARIABLE]: text.length > MAX_VALUE ? `entry:${again.entryId}` : `text:${text}` };
	}
	if (!recap) return {};
	// The plan refers to the record by its id, because the session may have a newer record when pi starts.
	return { [RESUME_VARIABLE]: isStored(recap) ? `record:${recap.id}` : "next" };
}

/** Returns a command line for sh, bash, zsh or fish. Without a working directory, the command runs in the current one. */
export function shellLine(
	command: readonly string[],
	cwd: string,
	env: Readonly<Record<string, string>>,
): string {
	const set = Object.entries(env).map(([name, value]) => `${name}=${commandLine([value])}`);
	const run = [...set, commandLine(command)].join(" ");
	// The folder's name may begin with a hyphen, and `cd -` would change to the previous folder.
	const folder = /^[-+]/.test(cwd) ? `./${cwd}` : cwd;
	return cwd === "" ? run : `cd ${commandLine([folder])} && ${run}`;
}
