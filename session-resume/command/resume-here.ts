import {
	type CommandOption,
	helpText,
	keyHelp,
	readArguments,
	unknownText,
} from "../../session-core/command/index.ts";
import { ownDialog } from "../../session-core/host/index.ts";
import { pointsOf, type SessionRecord, withBranching } from "../../session-core/recap/index.ts";
import { isFolder, isSameFolder } from "../../session-core/regular-file.ts";
import {
	beginningOf,
	goalPrompt,
	type Handover,
	isBranching,
	isSendable,
	resumePrompt,
	stepPrompt,
} from "../../session-core/resume-plan/prompt.ts";
import { relatedLines } from "../../session-core/search/report.ts";
import { cleanLine } from "../../session-core/text/index.ts";
import { explainRefusal, type Prepared } from "../record/keeper.ts";
import { type CommandContext, isReady, stateFor } from "../session.ts";
import { ANSWER_FIRST, continueFresh, continueHere, continueInFork, NOTHING_OPEN } from "./continue.ts";

/** How `/resume-here` continues. */
interface HereOptions {
	/** The number of the next step to continue with, starting at 1. If undefined, the record determines the step. */
	step?: number | undefined;
	send?: boolean;
	/** Whether to continue in a fork. If undefined, the record decides. */
	branch?: boolean | undefined;
	/** Whether `branch` also applies whenever the session is resumed in the future. */
	always?: boolean;
	/** The goal of a new session that begins with the recap; empty to use the next step as the goal. */
	fresh?: string | undefined;
}

/** The action that the arguments of `/resume-here` request. */
type HereAction =
	| ({ type: "go" } & HereOptions)
	| { type: "help" }
	| { type: "unknown"; word: string }
	/** The arguments contradict each other, and `why` explains how. */
	| { type: "conflict"; why: string };

export const HERE_OPTIONS: readonly CommandOption[] = [
	{ value: "", description: "Put the next step into the editor, as a prompt that you can edit" },
	{ value: "2", description: "Choose another step by its number" },
	{ value: "--send", description: "Send it at once" },
	{ value: "--branch", description: "Continue in a fork; this session stays unchanged" },
	{ value: "--branch --always", description: "Continue in a fork, now and whenever this session is resumed" },
	{
		value: "--no-branch",
		description: "Continue in this session, even if it is set to be resumed in a fork",
	},
	{ value: "--no-branch --always", description: "Continue in this session, now and whenever it is resumed" },
	{ value: "--fresh", description: "Continue in a new session that begins with the recap" },
	{
		value: "--fresh <goal>",
		description: "Continue in a new session with your own goal and the relevant parts of this session",
	},
	{ value: "--help", description: "Show this help" },
];

/** Parses the arguments of `/resume-here`. */
export function parseHere(args: string): HereAction {
	const given = readArguments(args, {
		switches: ["--send", "--branch", "--no-branch", "--always", "--fresh"],
	});
	if (given.type !== "given") return given;
	const { has, text } = given;
	if (text.toLowerCase() === "help") return { type: "help" };
	const isStep = /^[1-9]$/.test(text);
	const fresh = has("--fresh") ? text.slice(isStep ? 1 : 0) : undefined;
	if (text !== "" && !isStep && !fresh) return { type: "unknown", word: text };
	const [isFork, isNoFork] = [has("--branch"), has("--no-branch")];
	const why =
		(isFork && isNoFork && "--branch forks and --no-branch does not. Choose one of them.") ||
		(has("--fresh") &&
			(isFork || isNoFork) &&
			"--fresh starts a new session, so there is nothing to fork.") ||
		(has("--always") && !isFork && !isNoFork && "--always needs --branch or --no-branch.");
	if (why) return { type: "conflict", why };
	return {
		type: "go",
		step: isStep ? Number(text) : undefined,
		send: has("--send"),
		branch: isFork || isNoFork ? isFork : undefined,
		always: has("--always"),
		fresh,
	};
}

/** `/resume-here …` */
export async function runHere(args: string, context: CommandContext): Promise<void> {
	const { screen } = context;
	const action = parseHere(args);
	switch (action.type) {
		case "help":
			screen.say(helpText("resume-here", HERE_OPTIONS, keyHelp("next", context.commons.shortcuts.keys)));
			return;
		case "unknown":
			screen.say(unknownText("resume-here", action.word), "warning");
			return;
		case "conflict":
			screen.say(`resume-here: ${action.why}`, "warning");
			return;
		case "go":
			return resumeHere(context, action);
	}
}

/** Continues in the open session, in a fork of it, or in a new session. */
export async function resumeHere(context: CommandContext, options: HereOptions): Promise<void> {
	const { host, screen } = context;
	const prepared = stateFor(context, "resume-here");
	if (!prepared) return;
	const recap = prepared.shown;
	const action = options.step === undefined ? beginningOf(recap) : pointsOf(recap)[options.step - 1];
	if (options.step !== undefined && action === undefined) {
		screen.say(noSuchStep(recap, options.step), "warning");
		return;
	}
	const question = folderQuestion(host.ownCwd, host.cwd);
	if (question !== undefined && !(await ownDialog(() => context.ctx.ui.confirm("Resume", question)))) return;
	if (!isReady(context, "resume-here")) return;
	if (options.always && !remember(context, prepared, options.branch === true)) return;
	const isAnswer = action !== undefined && !isSendable(action);
	if (options.send && isAnswer) screen.say(ANSWER_FIRST);
	const isSent = options.send === true;
	const send = isSent && action !== undefined && !isAnswer;
	if (options.fresh) {
		const prompt = goalPrompt(recap, await handover(context, options.fresh));
		return isReady(context, "resume-here") ? continueFresh(context, { prompt, send: isSent }) : undefined;
	}
	if (options.fresh === "")
		return continueFresh(context, { prompt: resumePrompt(recap, action, { isFresh: true }), send });
	const continuation = { prompt: action === undefined ? undefined : stepPrompt(action), send };
	// A new fork shows its parent's record. If that record requests a fork, the fork has already been made.
	const branches = options.branch ?? (recap.subject_id === host.id && isBranching(recap));
	if (branches) await continueInFork(context, host.target.getLeafId(), continuation);
	else if (!(await continueHere(context, continuation))) context.screen.say(NOTHING_OPEN);
}

/** Maximum number of passages from the current session that are passed to a new session with a goal. */
const RELATED = 6;

/** Searches the open session for passages that are relevant to a goal. */
async function handover({ host }: CommandContext, goal: string): Promise<Handover> {
	const path = host.target.getSessionFile();
	if (path === undefined) return { goal, related: [], session: undefined };
	const related = await relatedLines(path, goal, RELATED);
	return { goal, related, session: host.id };
}

/**
 * Stores in the session's record whether resuming the session creates a fork. If the record cannot be written, tells the user and returns
 * false.
 */
function remember(
	{ screen, session }: CommandContext,
	{ shown, existing }: Prepared,
	branches: boolean,
): boolean {
	const kept = session.keeper.put(withBranching(shown, branches), { over: existing, cause: "typed" });
	if (!kept.ok) screen.say(explainRefusal(kept), "warning");
	return kept.ok;
}

function noSuchStep({ next_actions: steps }: SessionRecord, step: number): string {
	if (steps.length === 0) return NOTHING_OPEN;
	const list = steps.map((text, index) => `  ${index + 1} ${text}`).join("\n");
	return `resume-here: there is no step ${step}:\n${list}`;
}

/**
 * Returns the question to ask before a session continues in pi's current folder; undefined if that folder is the session's own and exists.
 */
export function folderQuestion(ownCwd: string | undefined, cwd: string): string | undefined {
	const here = cleanLine(cwd);
	if (ownCwd === undefined || isSameFolder(ownCwd, cwd)) {
		return isFolder(cwd) ? undefined : `This session's folder is gone: ${here}. Continue without it?`;
	}
	const own = cleanLine(ownCwd);
	return isFolder(ownCwd)
		? `This session belongs to ${own}, and pi is now running in ${here}. Continue here?`
		: `This session's folder is gone: ${own}. Continue in ${here}?`;
}
