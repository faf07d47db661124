import type { Message } from "../session/message.ts";
import { changesBehindCheck, mayChangeFiles } from "./changing.ts";
import { runsCheck } from "./checks.ts";
import { type CheckVerdict, checkVerdict, failureLine, showsUnsignedEnd } from "./checkverdict.ts";
import { parseShell, type ShellLine } from "./shell.ts";
import type { Step } from "./turns.ts";
import type { CommandRun } from "./types.ts";

/** One shell command of the log, before it is known what came after it. */
export interface CommandFact {
	command: string;
	line: ShellLine;
	output: string;
	outcome: CommandRun["outcome"];
	isCheck: boolean;
	verdict: CheckVerdict;
	detail: string | undefined;
	/** It may have changed files itself: a check before it says nothing about what stands there now. */
	changesFiles: boolean;
	/** The output's end is shown, of a runner that may or may not sign a failure. */
	isUnsignedEnd: boolean;
	/** What may have changed files ran behind a check of the same line. */
	changesBehindCheck: boolean;
}

const SHELL_TOOLS =
	/^(?:bash|shell|sh|exec|execute|run_command|run_terminal_cmd|terminal|command|powershell)$/i;

/** Characters kept of a command line; what follows is some file's content. */
const COMMAND_BOUND = 16_000;

/** The command line of a tool call, if it is a shell call. */
export function shellCommand(step: Step): string | undefined {
	const { name, args } = step.call;
	const line = args["command"] ?? args["cmd"] ?? args["script"];
	return SHELL_TOOLS.test(name) && typeof line === "string" && line.trim() !== ""
		? line.slice(0, COMMAND_BOUND)
		: undefined;
}

/** Facts of finished calls, by the call's arguments: a log only grows, so they are read once, not once a digest. */
const known = new WeakMap<object, CommandFact>();

/** Reads the agent's shell call. */
export function readCommand(step: Step): CommandFact | undefined {
	const command = shellCommand(step);
	if (command === undefined) return undefined;
	const output = step.result?.text ?? "";
	const before = known.get(step.call.args);
	if (before && before.command === command && before.output === output) return before;
	const read = fact(command, output, outcomeOf(step, output));
	if (step.result) known.set(step.call.args, read);
	return read;
}

/** Reads a command that the user ran by hand. */
export function readManual(run: Extract<Message, { role: "bash" }>): CommandFact {
	return fact(run.command.slice(0, COMMAND_BOUND), run.output, manualOutcome(run));
}

function manualOutcome(run: Extract<Message, { role: "bash" }>): CommandRun["outcome"] {
	if (run.cancelled) return "aborted";
	if (run.exitCode === undefined) return "unknown";
	return run.exitCode === 0 ? "ok" : "failed";
}

function outcomeOf(step: Step, output: string): CommandRun["outcome"] {
	if (!step.result) return "unknown";
	const end = output.slice(-200);
	if (/(?:Command|Operation|Request) (?:was )?(?:aborted|cancelled|timed out)/i.test(end)) return "aborted";
	if (step.result.isError || FAILED_STATUS.test(end)) return "failed";
	// What goes on elsewhere, or was moved out of the log, shows no end.
	return step.isEvicted || isDetached(step, output) ? "unknown" : "ok";
}

const FAILED_STATUS = /\bexit(?:ed)?(?: with)?(?: code| status)?\s*[:=]?\s*[1-9]\d*[.)\]]*\s*$/i;

/** Whether a call only started something that runs on behind the agent's back. */
function isDetached({ call: { args } }: Step, output: string): boolean {
	const asked = ["run_in_background", "background", "is_background", "detach", "detached"].some(
		(key) => args[key] === true,
	);
	return (
		asked ||
		(output.length < 600 &&
			/\b(?:running|started|moved|continues?) (?:in|to) (?:the )?background\b/i.test(output))
	);
}

function fact(command: string, output: string, outcome: CommandRun["outcome"]): CommandFact {
	const line = parseShell(command);
	const isHooked = runsHook(line, output);
	const isCheck = isHooked || runsCheck(line);
	const verdict = isCheck ? verdictOf(isHooked, line, output, outcome) : "unknown";
	const hasFailed = outcome === "failed" || verdict === "failed";
	return {
		command,
		line,
		output,
		outcome,
		isCheck,
		verdict,
		detail: hasFailed ? failureLine(output) : undefined,
		changesFiles: mayChangeFiles(line, command),
		isUnsignedEnd: isCheck && outcome === "ok" && verdict === "unknown" && showsUnsignedEnd(line, output),
		changesBehindCheck: isCheck && changesBehindCheck(line),
	};
}

function verdictOf(
	isHooked: boolean,
	line: ShellLine,
	output: string,
	outcome: CommandRun["outcome"],
): CheckVerdict {
	if (!isHooked) return checkVerdict(line, output, outcome);
	// git names the commit that it made; without that line, its refusal may have been hidden.
	if (outcome === "ok") return COMMITTED.test(output) ? "passed" : "unknown";
	return outcome === "failed" ? "failed" : "unknown";
}

/** Whether a command line runs a git command of that name. */
export function runsGit({ segments }: ShellLine, verb: RegExp): boolean {
	return segments.some(({ words }) => words[0] === "git" && words.some((word) => verb.test(word)));
}

const COMMITTED = /^\[[^\]\n]+ [0-9a-f]{7,40}\]/m;
/** What git itself prints of a commit: subject and names may speak of hooks. */
const COMMIT_LINES =
	/^(?:\[[^\]\n]+ [0-9a-f]{7,40}\].*| (?:create|delete|rename|copy|rewrite|mode) .*| \d+ files? changed.*)$/gm;
/** What a hook shows of the checks that it ran: a runner's echo of the script, or a verdict. */
const HOOK_CHECKS =
	/^> .*\b(?:test|check|lint|tsc|tsgo|types?|build|vitest|jest|eslint|biome)\b|\.{3,}\s*Passed\s*$|\ball (?:\w+ )?(?:tests?|checks?) pass/im;

/** A commit whose hook ran the checks: git refuses the commit when they fail. */
function runsHook(line: ShellLine, output: string): boolean {
	if (!runsGit(line, /^commit$/) || line.segments.some(({ words }) => skipsHook(words))) return false;
	const shown = output.slice(-8_000).replace(COMMIT_LINES, "");
	if (!/\bpre-commit\b|\bhusky\b|\blint-staged\b/i.test(shown)) return false;
	return HOOK_CHECKS.test(shown) || !COMMITTED.test(output);
}

function skipsHook(words: readonly string[]): boolean {
	return words[0] === "git" && words.some((word) => /^(?:--no-verify|-n)$/.test(word));
}
