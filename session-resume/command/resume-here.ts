import { getAgentDir } from "../../session-core/pi/host/index.ts";
import {
	openOf,
	type Prepared,
	pointsOf,
	type SessionRecord,
	withBranching,
} from "../../session-core/recap/index.ts";
import { couldBePlanted } from "../../session-core/sessions/planted.ts";
import {
	goalPrompt,
	type Handover,
	isBranching,
	isSendable,
	resumePrompt,
	stepPrompt,
} from "../../session-core/sessions/resume-prompt.ts";
import { relatedLines } from "../../session-core/sessions/search-report.ts";
import { explainRefusal } from "../record/keeper.ts";
import { type CommandContext, isReady, stateFor } from "../session.ts";
import type { HereAction } from "./arguments.ts";
import {
	ANSWER_FIRST,
	continueFresh,
	continueHere,
	continueInFork,
	NOTHING_OPEN,
	wholeStep,
} from "./continue.ts";
import { confirmsFolder } from "./folder.ts";

export async function resumeHere(options: Omit<HereAction, "type">, context: CommandContext): Promise<void> {
	const { host, screen } = context;
	const prepared = stateFor(context, "resume-here");
	if (!prepared) return;
	const recap = prepared.shown;
	const step = options.step === undefined ? openOf(recap).next : pointsOf(recap)[options.step - 1];
	const action = wholeStep(prepared, step);
	if (options.step !== undefined && action === undefined) {
		screen.say(noSuchStep(recap, options.step), "warning");
		return;
	}
	if (!(await confirmsFolder(host.ownCwd, context.ctx))) return;
	if (!isReady(context, "resume-here")) return;
	if (options.always && !remember(context, prepared, options.branch === true)) return;
	const isAnswer = action !== undefined && !isSendable(action);
	if (options.send && isAnswer) screen.say(ANSWER_FIRST);
	const isSent = options.send === true;
	const isUnsent = isSent && couldBePlanted(openFile(host), { agentDir: getAgentDir(), cwd: host.cwd });
	if (isUnsent && !isAnswer) screen.say(PLANTED, "warning");
	const send = isSent && action !== undefined && !isAnswer && !isUnsent;
	if (options.fresh) {
		const prompt = goalPrompt(recap, await handover(context, options.fresh));
		return isReady(context, "resume-here") ? continueFresh(context, { prompt, send: isSent }) : undefined;
	}
	if (options.fresh === "")
		return continueFresh(context, { prompt: resumePrompt(recap, action, { isFresh: true }), send });
	const continuation = { prompt: action === undefined ? undefined : stepPrompt(action), send };
	// A new fork shows its parent's record. If that record requests a fork, the fork has already been made.
	const branches = options.branch ?? (recap.subject_id === host.id && isBranching(recap));
	if (branches) await continueInFork(context, host.source.getLeafId(), continuation);
	else if (!(await continueHere(context, continuation))) context.screen.say(NOTHING_OPEN);
}

const PLANTED =
	"resume-here: a repository could have written this session, so its next step is not sent. Check it and press Enter.";

function openFile({ source, origin, ownCwd = "" }: CommandContext["host"]) {
	return { path: source.getSessionFile() ?? "", cwd: ownCwd, parentSession: origin.parentSession };
}

const RELATED = 6;

async function handover({ host }: CommandContext, goal: string): Promise<Handover> {
	const path = host.source.getSessionFile();
	if (path === undefined) return { goal, related: [], session: undefined };
	const related = await relatedLines(path, goal, RELATED);
	return { goal, related, session: host.id };
}

/** If the record cannot be written, tells the user and returns false. */
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
