import type { Message } from "../session/message.ts";
import { checkVerdict, failureLine, isCheckCommand, type CheckVerdict } from "./checks.ts";
import { commandWords, splitCommand } from "./shell.ts";
import type { Step } from "./turns.ts";
import type { CommandRun } from "./types.ts";

/** One shell command of the log, before it is known what came after it. */
export interface CommandFact {
	command: string;
	output: string;
	outcome: CommandRun["outcome"];
	isCheck: boolean;
	verdict: CheckVerdict;
	detail: string | undefined;
	/** It may have changed files itself: a check before it says nothing about what stands there now. */
	changesFiles: boolean;
}

const SHELL_TOOLS = /^(?:bash|shell|sh|exec|execute|run_command|run_terminal_cmd|terminal|command|powershell)$/i;

/** The command line of a tool call, if it is a shell call. */
export function shellCommand(step: Step): string | undefined {
	const { name, args } = step.call;
	const line = args["command"] ?? args["cmd"] ?? args["script"];
	return SHELL_TOOLS.test(name) && typeof line === "string" && line.trim() !== "" ? line : undefined;
}

/** Reads the agent's shell call. */
export function readCommand(step: Step): CommandFact | undefined {
	const command = shellCommand(step);
	if (command === undefined) return undefined;
	const output = step.result?.text ?? "";
	return fact(command, output, outcomeOf(step, output));
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
	const hooked = runsHook(command, output);
	const isCheck = hooked || isCheckCommand(command);
	const verdict = hooked ? hookVerdict(outcome) : checkVerdict(command, output, outcome);
	const failed = outcome === "failed" || verdict === "failed";
	return {
		command,
		output,
		outcome,
		isCheck,
		verdict: isCheck ? verdict : "unknown",
		detail: failed ? failureLine(output) : undefined,
		changesFiles: changesFiles(command),
	};
}

/** A commit whose hook ran the checks: git refuses the commit when they fail. */
function runsHook(command: string, output: string): boolean {
	return /\bgit\b[^\n]*\bcommit\b/.test(command) && /\bpre-commit\b|\bhusky\b|\blint-staged\b/i.test(output);
}

function hookVerdict(outcome: CommandRun["outcome"]): CheckVerdict {
	if (outcome === "ok") return "passed";
	return outcome === "failed" ? "failed" : "unknown";
}

/**
 * Whether a command line may have changed the session's files: in-place editors, redirections, moves, and git putting back other
 * contents. Merges and pulls bring in what others checked, removals mostly clean up; neither is an edit.
 */
function changesFiles(command: string): boolean {
	return splitCommand(command).some(({ text }) => {
		const verb = commandWords(text)[0] ?? "";
		if (/^(?:mv|patch|rsync|unzip)$/.test(verb)) return true;
		if (/^(?:sed|perl)$/.test(verb)) return /\s-\w*i/.test(text);
		if (verb === "cp" || verb === "tee") return !/\s(?:~|\/tmp|\/var|\/dev)\S*$/.test(text);
		if (verb === "git") {
			return /\s(?:mv|rm|apply|am|revert|cherry-pick|restore|stash (?:pop|apply)|reset --hard|checkout (?:\S+ )?-- )/.test(`${text} `);
		}
		return /(?:^|[^0-9&>])>{1,2}\s*(?!\/dev\/|\/tmp\/|&)[\w./~$-]+/.test(text.replace(/"[^"]*"|'[^']*'/g, "''"));
	});
}
