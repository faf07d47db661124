import {
	type Answered,
	commandForm,
	type ExtensionCommandContext,
	type HostSession,
	readArguments,
} from "../../session-core/pi/index.ts";
import {
	openOf,
	type Prepared,
	pointsOf,
	type SessionRecord,
	withHint,
} from "../../session-core/recap/index.ts";
import {
	couldBePlanted,
	goalPrompt,
	type Handover,
	isBranching,
	isSendable,
	relatedLines,
	resumePrompt,
	stepPrompt,
} from "../../session-core/sessions/index.ts";
import { cleanLine, clipColumns } from "../../session-core/text/index.ts";
import { explainRefusal } from "../refusals.ts";
import type { ResumeSession } from "../session.ts";
import {
	ANSWER_FIRST,
	confirmsFolder,
	continueFresh,
	continueHere,
	continueInFork,
	NOTHING_OPEN,
	wholeStep,
} from "./continue.ts";

export const RESUME_HERE = commandForm({
	name: "resume-here",
	options: [
		{ value: "", description: "Put the next step into the editor, as a prompt that you can edit" },
		{ value: "2", description: "Choose another step by its number" },
		{ value: "--send", description: "Send the next step at once" },
		{ value: "--branch", description: "Continue in a fork; this session stays unchanged" },
		{
			value: "--branch --always",
			description: "Continue in a fork, now and whenever this session is resumed",
		},
		{
			value: "--no-branch",
			description: "Continue in this session, even if it is set to be resumed in a fork",
		},
		{
			value: "--no-branch --always",
			description: "Continue in this session, now and whenever it is resumed",
		},
		{ value: "--fresh", description: "Continue in a new session that begins with the recap" },
		{
			value: "--fresh <goal>",
			description: "Continue in a new session with your own goal and the relevant parts of this session",
		},
		{ value: "--help", description: "Show this help" },
	],
});

export interface HereAction {
	type: "go";
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

export function parseHere(args: string): HereAction | Answered {
	const given = readArguments(RESUME_HERE, args);
	if (given.type !== "given") return given;
	const { options, text } = given;
	if (text.toLowerCase() === "help") return { type: "help" };
	const isStep = /^[1-9]$/.test(text);
	const fresh = options.has("--fresh") ? text.slice(isStep ? 1 : 0) : undefined;
	const [isFork, isNoFork] = [options.has("--branch"), options.has("--no-branch")];
	const why =
		(text !== "" &&
			!isStep &&
			!fresh &&
			`"${clipColumns(cleanLine(text), 40)}" is not the number of a step. /resume-here --help lists the options.`) ||
		(isFork && isNoFork && "--branch forks and --no-branch does not. Choose one of them.") ||
		(fresh !== undefined &&
			(isFork || isNoFork) &&
			"--fresh starts a new session, so there is nothing to fork.") ||
		(options.has("--always") && !isFork && !isNoFork && "--always needs --branch or --no-branch.");
	if (why) return { type: "refused", why };
	return {
		type: "go",
		step: isStep ? Number(text) : undefined,
		send: options.has("--send"),
		branch: isFork || isNoFork ? isFork : undefined,
		always: options.has("--always"),
		fresh,
	};
}

export async function runHere(
	args: string,
	session: ResumeSession,
	commandCtx: ExtensionCommandContext,
): Promise<void> {
	const action = parseHere(args);
	if (action.type !== "go") return session.answer(RESUME_HERE, action, "next");
	await resumeHere(action, session, commandCtx);
}

/** Continues in the open session, in a fork of it, or in a new session. */
export async function resumeHere(
	options: Omit<HereAction, "type">,
	session: ResumeSession,
	commandCtx: ExtensionCommandContext,
): Promise<void> {
	const { host, screen, commons } = session;
	const state = session.stateFor("resume-here");
	if (!state) return;
	const recap = state.shown;
	const step = options.step === undefined ? openOf(recap).next : pointsOf(recap)[options.step - 1];
	const action = wholeStep(state, step);
	if (options.step !== undefined && action === undefined)
		return screen.say(noSuchStep(recap, options.step), "warning");
	if (!(await confirmsFolder(host.ownCwd, session.ctx))) return;
	if (!session.isReady("resume-here")) return;
	if (options.always && !remember(session, state, options.branch === true)) return;
	const isAnswer = action !== undefined && !isSendable(action);
	if (options.send && isAnswer) screen.say(ANSWER_FIRST);
	const isSent = options.send === true;
	const isUnsent = isSent && couldBePlanted(openFile(host), { agentDir: commons.agentDir, cwd: host.cwd });
	if (isUnsent && !isAnswer) screen.say(PLANTED, "warning");
	const send = isSent && action !== undefined && !isAnswer && !isUnsent;
	if (options.fresh) {
		const prompt = goalPrompt(recap, await handover(host, options.fresh));
		if (session.isReady("resume-here")) await continueFresh(commandCtx, { prompt, send: isSent });
		return;
	}
	if (options.fresh === "")
		return continueFresh(commandCtx, { prompt: resumePrompt(recap, action, { isFresh: true }), send });
	const continuation = { prompt: action === undefined ? undefined : stepPrompt(action), send };
	// A new fork shows its parent's record. If that record requests a fork, the fork has already been made.
	const branches = options.branch ?? (recap.subject_id === host.id && isBranching(recap));
	if (branches) await continueInFork(session, commandCtx, host.source.getLeafId(), continuation);
	else if (!(await continueHere(session, continuation))) screen.say(NOTHING_OPEN);
}

const PLANTED =
	"resume-here: a repository could have written this session, so its next step is not sent. Check it and press Enter.";

function openFile({ source, origin, ownCwd = "" }: HostSession) {
	return { path: source.getSessionFile() ?? "", cwd: ownCwd, parentSession: origin.parentSession };
}

const RELATED = 6;

async function handover(host: HostSession, goal: string): Promise<Handover> {
	const path = host.source.getSessionFile();
	if (path === undefined) return { goal, related: [], session: undefined };
	const related = await relatedLines(path, goal, RELATED);
	return { goal, related, session: host.id };
}

/** If the record cannot be written, tells the user and returns false. */
function remember(session: ResumeSession, { shown, existing }: Prepared, branches: boolean): boolean {
	const recap = withHint(shown, { branch_on_resume: branches });
	const kept = session.commons.records.put(recap, existing, "typed");
	if (!kept.ok) session.screen.say(explainRefusal(kept), "warning");
	return kept.ok;
}

function noSuchStep({ next_actions: steps }: SessionRecord, step: number): string {
	if (steps.length === 0) return NOTHING_OPEN;
	const list = steps.map((text, index) => `  ${index + 1} ${text}`).join("\n");
	return `resume-here: there is no step ${step}:\n${list}`;
}
