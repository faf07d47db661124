import type { PathNamer } from "../../text/index.ts";
import { isEvicted, type Message, type ToolCall, withoutPrintedSecret } from "../index.ts";
import { isEditor, NO_LINES, pathOf, readEdits } from "./edits.ts";
import { reportsOnlyErrors } from "./result.ts";
import {
	answersByStatus,
	hidesStatus,
	isLookingTool,
	onlyLooks,
	parseShell,
	shellReads,
	shellWrites,
} from "./shell.ts";
import type { Step } from "./turn.ts";

type ToolResult = Pick<Extract<Message, { role: "toolResult" }>, "text" | "isError" | "diff">;
type UserCommand = Extract<Message, { role: "bash" }>;

export function readCall(call: ToolCall, result: ToolResult | undefined, name: PathNamer): Step {
	const command = shellCommand(call);
	const output = result && !isEvicted(result.text) ? result.text : "";
	const ran = { kind: "call", name: call.name, outcome: callOutcome(result, output), output } as const;
	if (command !== undefined) {
		const { description } = call.args;
		const purpose = typeof description === "string" ? oneLine(description) : "";
		const step = shellStep({ ...ran, command }, exitStatus(output), name);
		return purpose === "" ? step : { ...step, purpose };
	}
	const looks = isLookingTool(call.name) && !isEditor(call.name);
	const isDone = ran.outcome === "ok";
	const path = pathOf(call.args)?.replace(/:\d+(?:-\d+)?$/, "");
	const answer = { text: output, diff: result?.diff ?? "" };
	return {
		...ran,
		argument: path === undefined ? mainArgument(call.args) : name(path),
		command: undefined,
		looks,
		// A program may print a path for any reason, so the output of a shell tool is not evidence of an edit.
		edits: isDone ? readEdits(call, answer, looks || SHELL_TOOLS.test(call.name), name) : [],
		reads: isDone && looks && path !== undefined && isReadable(path) ? [name(path)] : [],
	};
}

export function readUserCommand(run: UserCommand, name: PathNamer): Step {
	const ended = (run.exitCode ?? 0) === 0 ? "ok" : "failed";
	const outcome = run.cancelled ? "cancelled" : ended;
	const command = run.command.slice(0, COMMAND_BOUND);
	return shellStep({ kind: "shell", name: "!", command, outcome, output: run.output }, run.exitCode, name);
}

type Ran = Pick<Step, "kind" | "name" | "outcome" | "output"> & { command: string };

function shellStep(ran: Ran, status: number | undefined, name: PathNamer): Step {
	const line = parseShell(ran.command);
	const output = withoutPrintedSecret(ran.command, withoutExitStatus(ran.output));
	const isHidden = ran.outcome === "ok" && hidesStatus(line) && reportsOnlyErrors(output);
	const ended = isHidden ? "failed" : ran.outcome;
	const isDone = ended === "ok";
	const foundNothing = status === 1 && answersByStatus(line) && /^\s*(?:\(no output\))?\s*$/.test(output);
	return {
		...ran,
		argument: oneLine(ran.command),
		outcome: ended === "failed" && foundNothing ? "ok" : ended,
		looks: onlyLooks(line),
		output,
		edits: isDone ? shellWrites(line, output, name).map((write) => ({ ...write, ...NO_LINES })) : [],
		reads: isDone ? shellReads(line, name) : [],
	};
}

function callOutcome(result: ToolResult | undefined, text: string): Step["outcome"] {
	if (!result) return "pending";
	const end = text.slice(-END);
	if (CANCELLED.test(end)) return "cancelled";
	return result.isError || (exitStatus(end) ?? 0) > 0 ? "failed" : "ok";
}

function isReadable(path: string): boolean {
	return /^https?:\/\//.test(path) || /[^/.][^/]*\.\w{1,10}$/.test(path);
}

const SHELL_TOOLS =
	/^(?:bash|shell|sh|exec|execute|run_command|run_terminal_cmd|terminal|write_stdin|command|powershell)$/i;
/**
 * The maximum length of a command line in characters. The rest of a longer command line is usually the
 * content of a file.
 */
const COMMAND_BOUND = 16_000;
const ARGUMENT_BOUND = 400;

function shellCommand({ name, args }: ToolCall): string | undefined {
	const line = args["command"] ?? args["cmd"] ?? args["script"];
	return SHELL_TOOLS.test(name) && typeof line === "string" && line.trim() !== ""
		? line.slice(0, COMMAND_BOUND)
		: undefined;
}

const TELLING_KEYS =
	/^(?:command|cmd|query|pattern|title|subject|message|name|task|description|prompt|question|url|id|action|text|input)$/i;

function mainArgument(args: Record<string, unknown>): string {
	const texts = Object.entries(args).filter(
		(entry): entry is [string, string] => typeof entry[1] === "string" && entry[1].trim() !== "",
	);
	const informative =
		texts.find(([key]) => TELLING_KEYS.test(key)) ?? texts.find(([, text]) => text.length <= 120);
	return oneLine((informative ?? texts[0])?.[1] ?? "");
}

function oneLine(text: string): string {
	return text.slice(0, COMMAND_BOUND).replace(/\s+/g, " ").trim().slice(0, ARGUMENT_BOUND);
}

const END = 240;
const CANCELLED = /(?:Command|Operation|Request) (?:was )?(?:aborted|cancelled|timed out)/i;
const EXIT_STATUS =
	/\n*\s*\b(?:Command|Process) exit(?:ed)?(?: with)?(?: code| status)?\s*[:=]?\s*(\d+)[.)\]]*\s*$/i;

function exitStatus(output: string): number | undefined {
	const status = EXIT_STATUS.exec(output.slice(-END))?.[1];
	return status === undefined ? undefined : Number(status);
}

function withoutExitStatus(output: string): string {
	return output.slice(0, -END) + output.slice(-END).replace(EXIT_STATUS, "");
}
