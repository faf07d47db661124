import type { Message } from "../session/message.ts";
import { type CheckVerdict, checkVerdict, failureLine, runsCheck } from "./checks.ts";
import { parseShell, type ShellLine, type ShellSegment } from "./shell.ts";
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
}

const SHELL_TOOLS =
	/^(?:bash|shell|sh|exec|execute|run_command|run_terminal_cmd|terminal|command|powershell)$/i;

/** The command line of a tool call, if it is a shell call. */
export function shellCommand(step: Step): string | undefined {
	const { name, args } = step.call;
	const line = args["command"] ?? args["cmd"] ?? args["script"];
	return SHELL_TOOLS.test(name) && typeof line === "string" && line.trim() !== "" ? line : undefined;
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
	return fact(run.command, run.output, manualOutcome(run));
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
	if (step.result.isError || /\bexited with code [1-9]\d*\s*$/.test(end)) return "failed";
	return "ok";
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
		changesFiles: line.segments.some(changesFiles),
	};
}

function verdictOf(
	isHooked: boolean,
	line: ShellLine,
	output: string,
	outcome: CommandRun["outcome"],
): CheckVerdict {
	if (!isHooked) return checkVerdict(line, output, outcome);
	if (outcome === "ok") return "passed";
	return outcome === "failed" ? "failed" : "unknown";
}

/** Whether a command line runs a git command of that name. */
export function runsGit({ segments }: ShellLine, verb: RegExp): boolean {
	return segments.some(({ words }) => words[0] === "git" && words.some((word) => verb.test(word)));
}

/** A commit whose hook ran the checks: git refuses the commit when they fail. */
function runsHook(line: ShellLine, output: string): boolean {
	return runsGit(line, /^commit$/) && /\bpre-commit\b|\bhusky\b|\blint-staged\b/i.test(output.slice(-8_000));
}

const GIT_PUTS_BACK =
	/\s(?:mv|rm|apply|am|revert|cherry-pick|restore|stash (?:pop|apply)|reset --hard|checkout (?:\S+ )?-- )/;

/**
 * Whether a simple command may have changed the session's files: in-place editors, redirections, moves, and git putting back other
 * contents. Merges and pulls bring in what others checked, removals mostly clean up; neither is an edit.
 */
function changesFiles({ words, bare }: ShellSegment): boolean {
	const verb = words[0] ?? "";
	if (/^(?:mv|patch|rsync|unzip)$/.test(verb)) return true;
	if (verb === "sed" || verb === "perl") return /\s-\w*i/.test(bare);
	if (verb === "cp" || verb === "tee") return !/\s(?:~|\/tmp|\/var|\/dev)\S*$/.test(bare);
	if (verb === "git") return GIT_PUTS_BACK.test(`${bare} `);
	return bare.includes(">") && /(?:^|[^0-9&>=-])>{1,2}\s*(?!\/dev\/|\/tmp\/|&|')[\w./~$-]+/.test(bare);
}
