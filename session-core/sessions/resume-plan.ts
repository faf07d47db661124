import { statSync } from "node:fs";
import { checkSession, type Env, ownCommand, type SessionFileFailure } from "../log/index.ts";
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

/** Why pi must not open a session's file. `damaged`: pi could lose part of it, but a copy may be repaired. */
export interface FileObstacle {
	reason: Exclude<SessionFileFailure, "not_session"> | "too_large" | "damaged";
	detail: string;
}

/** Returns why pi must not open a session's file. `tooLarge` returns why pi cannot open a file of the given size in bytes. */
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
	/** The host's program. Default: `pi`. */
	program?: string | undefined;
	/** The record to continue from; undefined if the session has none. */
	recap?: SessionRecord | undefined;
	/** Whether to continue in a fork. If undefined, the record decides. A job always continues in a new session. */
	branch?: boolean | undefined;
	/** Whether to send the next step immediately instead of putting it into the editor. The next step of a job is always sent. */
	send?: boolean | undefined;
	/** Where the user is, which decides whether a repository could have written the session. Required in order to send its next step. */
	place?: Place | undefined;
	/** The whole text of the request to continue with, if that request was cut short. The record contains only one line of the request. */
	wholeRequest?: string | undefined;
	message?: string | undefined;
	/** The prompt to put into the editor, or to send if `send` is set and the prompt is not too long. */
	again?: AgainPrompt | undefined;
	/** The copy of the session in which to continue: a fork from an earlier entry, or a repaired file. */
	copy?: string | undefined;
	/**
	 * Whether the session's folder exists. Without the folder, pi runs in the current folder and asks where to continue, and a job does not
	 * run. Default: true.
	 */
	hasFolder?: boolean | undefined;
	/** For a session that pi cannot open: whether it is handed over to a new pi session instead of being resumed by its own program. */
	inPi?: boolean | undefined;
	/** The environment in which the session's own program is started. Default: that of this process. */
	env?: Env | undefined;
}

export interface ResumePlan {
	/** What is resumed. `session`: the session itself. `job`: a new headless run that continues from the record. */
	kind: "session" | "job";
	session_id: string;
	session_file: string;
	command: string[];
	/** The working directory, which is the session's own folder; empty if unknown. */
	cwd: string;
	env: Record<string, string>;
	/** The complete command as one line for sh, bash, zsh or fish. */
	command_line: string;
	/** Whether the original session remains unchanged and the work continues in a new one. */
	branch: boolean;
	model?: { provider: string; model: string };
	/** For a job: the tools that it may use; undefined if its record does not limit them. */
	tools?: string[];
	seed_instruction?: string;
	/** The prompt that is sent at the start; absent if no prompt is sent. */
	prompt?: string;
	/** The agent's question, request or offer. Nothing is sent, and no job continues, until the user answers (`message`). */
	needs_answer?: string;
	needs_answer_kind?: NextStep["kind"];
	/** The next step that the user wanted to send, but that is not sent because a repository could have written the session. */
	not_sent?: string;
	/** For a job: the session and the record of the job that it continues. */
	parent_job_id?: string;
	resumed_from_recap_id?: string;
}

/** Decides how a session is resumed, given its record, its settings and the user's options. Changes nothing and runs no program. */
export function planResume(session: Resumed, wanted: ResumeOptions = {}): ResumePlan {
	if (!session.format.canOpen) return planElsewhere(session, wanted);
	const isWithheld = withholdsStep(session, wanted);
	const options = isWithheld ? { ...wanted, send: false } : wanted;
	const { recap, again, program = "pi" } = options;
	const kind = recap?.kind ?? (session.kind === "headless" ? "job" : "session");
	const isJob = kind === "job";
	const model = modelOf(session, recap);
	const seed = recap && openOf(recap).next;
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

/** Returns the prompt to send. `seed`: the open item to continue with. */
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
	// A headless run cannot start without a prompt.
	if (isJob) return cleanText(resumePrompt(recap, seed ?? { kind: "step", text: recap.headline }));
	if (wholeRequest === undefined) return seed && asWords(seed.text);
	return Buffer.byteLength(wholeRequest) <= MAX_ARGUMENT ? onlyWords(wholeRequest) : undefined;
}

/** Whether the user wants to send a next step that a repository could have written. The user's own words are always sent. */
export function withholdsStep(
	session: Resumed,
	{ send, message, place }: Pick<ResumeOptions, "send" | "message" | "place">,
): boolean {
	return send === true && message === undefined && place !== undefined && couldBePlanted(session, place);
}

/**
 * Returns why a plan must not be carried out; undefined if it may be carried out. `no_step`: there is no next step to send. A headless run
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

/** Whether the record is stored. A record that was generated only for display has no id and therefore cannot be referenced. */
function isStored(recap: SessionRecord | undefined): recap is SessionRecord {
	return recap !== undefined && recap.id !== "";
}

/** Maximum number of bytes in one command-line argument. Linux allows 128 KiB, including the terminator. */
const MAX_ARGUMENT = 120_000;
/** Maximum length of a variable's value in code units. Windows allows 32,767 code units, and Linux 128 KiB of UTF-8. */
const MAX_VALUE = 30_000;

function waiting({ recap, again }: ResumeOptions, prompt: string | undefined): Record<string, string> {
	if (prompt !== undefined) return {};
	if (again !== undefined) {
		const text = cleanText(again.text).trim();
		return { [RESUME_VARIABLE]: text.length > MAX_VALUE ? `entry:${again.entryId}` : `text:${text}` };
	}
	if (!recap) return {};
	// The record is referenced by its id, because there may be a newer record when pi starts.
	return { [RESUME_VARIABLE]: isStored(recap) ? `record:${recap.id}` : "next" };
}

/** Returns a command line for sh, bash, zsh or fish. Without a folder, the command runs in the current one. */
export function shellLine(
	command: readonly string[],
	cwd: string,
	env: Readonly<Record<string, string>>,
): string {
	const set = Object.entries(env).map(([name, value]) => `${name}=${commandLine([value])}`);
	const run = [...set, commandLine(command)].join(" ");
	// A session's folder may have any name, and `cd -` would change to the previous folder.
	const folder = /^[-+]/.test(cwd) ? `./${cwd}` : cwd;
	return cwd === "" ? run : `cd ${commandLine([folder])} && ${run}`;
}
