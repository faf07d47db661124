/** One call of the log as a step: its name, its main argument, and how it ended by structure. */
import type { Message, ToolCall } from "../session/message.ts";
import { shellReads, shellWrites } from "../shell/files.ts";
import { parseShell, type ShellLine } from "../shell/grammar.ts";
import { answersByStatus, isLookingTool, onlyLooks } from "../shell/looks.ts";
import type { PathNamer } from "../text/paths.ts";
import { isEditor, pathOf, readEdits } from "./edits.ts";
import type { Step } from "./types.ts";

type ToolResult = Extract<Message, { role: "toolResult" }>;
type UserCommand = Extract<Message, { role: "bash" }>;

const SHELL_TOOLS =
	/^(?:bash|shell|sh|exec|execute|run_command|run_terminal_cmd|terminal|command|powershell)$/i;
/** Characters kept of a command line; what follows is some file's content. */
const COMMAND_BOUND = 16_000;
const ARGUMENT_BOUND = 400;

/** What a host says of a call that ended otherwise than by itself. */
const CANCELLED = /(?:Command|Operation|Request) (?:was )?(?:aborted|cancelled|timed out)/i;
/** The host's own line behind the output of a command that failed. */
const EXIT_STATUS =
	/\n*\s*\b(?:Command|Process) exit(?:ed)?(?: with)?(?: code| status)?\s*[:=]?\s*(\d+)[.)\]]*\s*$/i;
/** What eviction leaves behind where a host moved old content to cold storage. */
const EVICTED = /^\s*\[[^\]\n]{0,80}\bevicted\b[^\]\n]{0,80}\]\s*$/i;

/** Whether a text was moved out of the log: it is no evidence of anything. */
export function isEvicted(text: string): boolean {
	return EVICTED.test(text);
}

/** The step of a tool call. `result` undefined: the log has none yet. */
export function readCall(call: ToolCall, result: ToolResult | undefined, name: PathNamer): Step {
	const command = shellCommand(call);
	const text = result && !isEvicted(result.text) ? result.text : "";
	if (command !== undefined) return shellStep(call.name, command, text, callOutcome(result, text), name);
	const looks = isLookingTool(call.name) && !isEditor(call.name);
	const outcome = callOutcome(result, text);
	const path = pathOf(call.args);
	const answer = { text, diff: result?.diff ?? "" };
	return {
		kind: "call",
		name: call.name,
		argument: path !== undefined ? name(bare(path)) : mainArgument(call.args),
		command: undefined,
		outcome,
		looks,
		output: text,
		edits: result && outcome === "ok" ? readEdits(call, answer, looks, name) : [],
		reads: looks && path !== undefined && outcome === "ok" && isReadable(path) ? [name(bare(path))] : [],
	};
}

/** The step of a command that the user ran by hand. */
export function readUserCommand(run: UserCommand, name: PathNamer): Step {
	const failed = run.exitCode !== undefined && run.exitCode !== 0;
	const ended = failed ? ({ failed: true, status: run.exitCode } as const) : { failed: false, status: 0 };
	const step = shellStep("!", run.command.slice(0, COMMAND_BOUND), run.output, ended, name);
	return { ...step, kind: "shell", ...(run.cancelled && { outcome: "cancelled" as const }) };
}

interface Ended {
	failed: boolean;
	status: number | undefined;
}

function shellStep(
	tool: string,
	command: string,
	text: string,
	end: Step["outcome"] | Ended,
	name: PathNamer,
): Step {
	const line = parseShell(command);
	const output = text.replace(EXIT_STATUS, "");
	const status = typeof end === "object" ? end.status : Number(EXIT_STATUS.exec(text)?.[1] ?? Number.NaN);
	const outcome = typeof end === "string" ? end : endOf(end);
	const isAnswer = outcome === "failed" && foundNothing(line, status, output);
	return {
		kind: "call",
		name: tool,
		argument: oneLine(command),
		command,
		outcome: isAnswer ? "ok" : outcome,
		looks: onlyLooks(line),
		output,
		edits: outcome === "ok" ? shellWrites(line, name) : [],
		reads: outcome === "ok" ? shellReads(line, name) : [],
	};
}

function endOf({ failed }: Ended): Step["outcome"] {
	return failed ? "failed" : "ok";
}

function foundNothing(line: ShellLine, status: number | undefined, output: string): boolean {
	return status === 1 && answersByStatus(line) && /^\s*(?:\(no output\))?\s*$/.test(output);
}

function callOutcome(result: ToolResult | undefined, text: string): Step["outcome"] {
	if (!result) return "pending";
	const end = text.slice(-240);
	if (CANCELLED.test(end)) return "cancelled";
	return result.isError || Number(EXIT_STATUS.exec(end)?.[1] ?? 0) > 0 ? "failed" : "ok";
}

function shellCommand({ name, args }: ToolCall): string | undefined {
	const line = args["command"] ?? args["cmd"] ?? args["script"];
	return SHELL_TOOLS.test(name) && typeof line === "string" && line.trim() !== ""
		? line.slice(0, COMMAND_BOUND)
		: undefined;
}

const TELLING_KEYS =
	/^(?:command|cmd|query|pattern|title|subject|message|name|task|description|prompt|question|url|id|action|text|input)$/i;

/** The argument that says most: one with a telling name, else the first short text. */
function mainArgument(args: Record<string, unknown>): string {
	const texts = Object.entries(args).filter(
		(entry): entry is [string, string] => typeof entry[1] === "string" && entry[1].trim() !== "",
	);
	const telling =
		texts.find(([key]) => TELLING_KEYS.test(key)) ?? texts.find(([, text]) => text.length <= 120);
	return oneLine((telling ?? texts[0])?.[1] ?? "");
}

function oneLine(text: string): string {
	return text.slice(0, COMMAND_BOUND).replace(/\s+/g, " ").trim().slice(0, ARGUMENT_BOUND);
}

/** Some readers take a range of lines behind the path. */
function bare(path: string): string {
	return path.replace(/:\d+(?:-\d+)?$/, "");
}

/** Folders are looked at too; they are nothing to open again. */
function isReadable(path: string): boolean {
	return /^https?:\/\//.test(path) || /[^/.][^/]*\.\w{1,10}$/.test(bare(path));
}
