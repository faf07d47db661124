import { commandForm, type HostSession, readArguments } from "../../session-core/pi/index.ts";
import {
	type NextStep,
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
	isQuotedStep,
	isSendable,
	relatedLines,
	resumePrompt,
	stepPrompt,
} from "../../session-core/sessions/index.ts";
import { cleanLine, clipColumns } from "../../session-core/text/index.ts";
import { explainRefusal } from "../refusals.ts";
import type { ResumeSession, TypedCommand } from "../session.ts";
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
		["", "Put the next step in the editor as a prompt that you can edit"],
		["2", "Choose another step by its number"],
		["--send", "Send the next step immediately"],
		["--branch", "Continue in a fork; this session stays unchanged"],
		["--branch --always", "Continue in a fork, now and whenever this session is resumed"],
		["--no-branch", "Continue in this session, even if it is set to be resumed in a fork"],
		["--no-branch --always", "Continue in this session, now and whenever it is resumed"],
		["--fresh", "Continue in a new session that begins with the recap"],
		["--fresh <goal>", "Continue in a new session with your own goal and the relevant parts of this session"],
	],
});

export function parseHere(args: string) {
	const given = readArguments(RESUME_HERE, args);
	if (given.type !== "given") return given;
	const { options, text } = given;
	if (text.toLowerCase() === "help") return { type: "help" as const };
	const isStep = /^[1-9]$/.test(text);
	const fresh = options.has("--fresh") ? text.slice(isStep ? 1 : 0) : undefined;
	const [isFork, isNoFork] = [options.has("--branch"), options.has("--no-branch")];
	const forks = isFork || isNoFork;
	const refused = (why: string) => ({ type: "refused" as const, why });
	if (text !== "" && !isStep && !fresh) {
		const shown = clipColumns(cleanLine(text), 40);
		return refused(`"${shown}" is not the number of a step. Type /resume-here --help to see the options.`);
	}
	if (isFork && isNoFork) return refused("--branch forks and --no-branch does not. Choose one of them.");
	if (fresh !== undefined && forks)
		return refused("--fresh starts a new session, so there is nothing to fork.");
	if (options.has("--always") && !forks) return refused("--always needs --branch or --no-branch.");
	return {
		type: "go" as const,
		step: isStep ? Number(text) : undefined,
		send: options.has("--send"),
		/** If `branch` is undefined, the record determines whether to continue in a fork. */
		branch: forks ? isFork : undefined,
		/** If `always` is true, `branch` also applies to future resumes of this session. */
		always: options.has("--always"),
		/** If `fresh` is empty, the next step becomes the goal of the new session. */
		fresh,
	};
}

type HereOptions = Partial<Omit<Extract<ReturnType<typeof parseHere>, { type: "go" }>, "type">>;

export async function runHere(args: string, command: TypedCommand): Promise<void> {
	const action = parseHere(args);
	if (action.type !== "go") return command.session.answer(RESUME_HERE, action, "next");
	await resumeHere(action, command);
}

export async function resumeHere(options: HereOptions, command: TypedCommand): Promise<void> {
	const { session } = command;
	const { host, screen, commons } = session;
	const state = session.stateFor("resume-here");
	if (!state) return;
	const recap = state.shown;
	const step = options.step === undefined ? openOf(recap).next : pointsOf(recap)[options.step - 1];
	const whole = wholeStep(state, step);
	const isQuoted = options.send === true && isQuotedStep(whole, host.source.getEntries());
	const action: NextStep | undefined = whole && isQuoted ? { ...whole, kind: "suggestion" } : whole;
	if (options.step !== undefined && action === undefined)
		return screen.say(noSuchStep(recap, options.step), "warning");
	if (!(await confirmsFolder(host.ownCwd, session.ctx))) return;
	if (!session.isReady("resume-here")) return;
	if (options.always && !remember(session, state, options.branch === true)) return;
	const isAnswer = action !== undefined && !isSendable(action);
	const isPlanted =
		options.send &&
		!isAnswer &&
		couldBePlanted(openFile(host), { agentDir: commons.agentDir, cwd: host.cwd });
	if (options.send && isAnswer) screen.say(ANSWER_FIRST);
	if (isPlanted) screen.say(PLANTED, "warning");
	const send = options.send === true && action !== undefined && !isAnswer && !isPlanted;
	if (options.fresh) {
		const prompt = goalPrompt(recap, await handover(host, options.fresh));
		if (session.isReady("resume-here")) await continueFresh(command, { prompt, send: options.send === true });
		return;
	}
	if (options.fresh === "")
		return continueFresh(command, { prompt: resumePrompt(recap, action, { isFresh: true }), send });
	const continuation = { prompt: action === undefined ? undefined : stepPrompt(action), send };
	const branches = options.branch ?? isBranching(recap, host.id);
	if (branches) await continueInFork(command, host.source.getLeafId(), continuation);
	else if (!(await continueHere(session, continuation))) screen.say(NOTHING_OPEN);
}

const PLANTED =
	"resume-here: this session's file may come from a repository, so its next step was not sent. Check the step and press Enter.";

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

function remember(session: ResumeSession, { shown, existing }: Prepared, branches: boolean): boolean {
	const recap = withHint(shown, { branch_on_resume: branches });
	const kept = session.commons.records.put(recap, existing, "typed");
	if (!kept.ok) session.screen.say(explainRefusal(kept), "warning");
	return kept.ok;
}

function noSuchStep({ next_actions: steps }: SessionRecord, step: number): string {
	if (steps.length === 0) return NOTHING_OPEN;
	const list = steps.map((text, index) => `  ${index + 1} ${text}`).join("\n");
	return `resume-here: there is no step ${step}. Choose one of these steps:\n${list}`;
}
