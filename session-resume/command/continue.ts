import { existsSync } from "node:fs";
import {
	type Continuation,
	type ExtensionAPI,
	type ExtensionContext,
	ownDialog,
	type Shared,
	sharedIn,
	VERSION,
} from "../../session-core/pi/index.ts";
import { type NextStep, openOf, type Prepared, wholeRequest } from "../../session-core/recap/index.ts";
import { isSendable, stepPrompt } from "../../session-core/sessions/index.ts";
import {
	cleanLine,
	cleanText,
	isFolder,
	isSameFolder,
	type ModelName,
} from "../../session-core/text/index.ts";
import { leaveFor } from "../board/leaving.ts";
import type { ResumeSession, TypedCommand } from "../session.ts";

export const ANSWER_FIRST =
	"resume-here: the next step is a question, an offer or a quotation, so it is not sent. Check it and press Enter.";

export const NOTHING_OPEN = "resume-here: this session has no next step. Type your next prompt.";

/**
 * `keepsCard` keeps the card on the screen, which is useful if the session was just opened. Returns false if the session has no next step.
 */
export async function continueHere(
	session: ResumeSession,
	continuation: Continuation,
	{ keepsCard = false }: { keepsCard?: boolean } = {},
): Promise<boolean> {
	const { pi, ctx, host, screen, commons } = session;
	const state = session.state();
	const isGiven = continuation.prompt !== undefined;
	if (!session.isLive || (!isGiven && !state)) return true;
	const step = isGiven ? undefined : state && wholeStep(state, openOf(state.shown).next);
	const prompt = continuation.prompt ?? (step && stepPrompt(step));
	const restored = await restoreModel(state && modelOf(state), pi, ctx);
	if (!session.isLive) return true;
	if (restored) screen.say(restored.text, restored.kind);
	if (!prompt) return false;
	if (!keepsCard) session.card.hide();
	// If a run has started in the meantime, the prompt is put in the editor instead of being sent.
	const isWanted = continuation.send && ctx.isIdle();
	const isSent = isWanted && (step === undefined || isSendable(step));
	commons.log("resume.continued", {
		session: host.id,
		path: isSent ? "sent" : "editor",
		from: isGiven ? "given" : "record",
		// A record that was generated only for display has no id.
		record: state?.shown.id || undefined,
		characters: prompt.length,
	});
	if (isSent) pi.sendUserMessage(prompt);
	else {
		if (isWanted) screen.say(ANSWER_FIRST);
		screen.fillEditor(prompt);
	}
	return true;
}

/** A record contains only the first line of an interrupted request, so the complete request is read from the timeline. */
export function wholeStep({ reading }: Prepared, action: NextStep | undefined): NextStep | undefined {
	const text = action && wholeRequest(reading.timeline, action, true);
	return action && text !== undefined ? { ...action, text: cleanText(text) } : action;
}

/** The log may lack the branch on which the model was selected, so the record is a second source for the model's name. */
function modelOf({ reading, shown }: Prepared): ModelName | undefined {
	const { provider, model } = shown.resume_hint ?? {};
	const hinted = provider !== undefined && model !== undefined ? { provider, id: model } : undefined;
	return reading.model ?? hinted;
}

/** Since pi 1.6.0, the host itself reports a model that it could not restore. */
const HOST_SAYS_IT = VERSION.localeCompare("1.6.0", "en", { numeric: true }) >= 0;

/** pi may have started with another model because of `--model` or because the session's model is not available. */
export async function restoreModel(
	own: ModelName | undefined,
	pi: Pick<ExtensionAPI, "setModel">,
	{ model: active, modelRegistry }: Pick<ExtensionContext, "model" | "modelRegistry">,
	hostSaysIt = HOST_SAYS_IT,
): Promise<{ text: string; kind: "info" | "warning" } | undefined> {
	if (!own || (active?.provider === own.provider && active.id === own.id)) return undefined;
	const name = cleanLine(`${own.provider}/${own.id}`);
	const model = modelRegistry.find(own.provider, own.id);
	if (model && (await pi.setModel(model)))
		return { text: `resume: switched back to this session's model, ${name}.`, kind: "info" };
	if (hostSaysIt) return undefined;
	const problem = model
		? `resume: this session's model, ${name}, has no credentials.`
		: `resume: this session's model, ${name}, is not available.`;
	const otherModel = active && `${active.provider}/${active.id}`;
	const instead = otherModel ? `pi continues with ${otherModel}.` : "Type /model to choose another model.";
	return { text: `${problem} ${instead}`, kind: "warning" };
}

export async function continueInFork(
	{ session: { host, screen }, ctx }: TypedCommand,
	entryId: string | null | undefined,
	continuation: Continuation,
): Promise<void> {
	const path = host.source.getSessionFile();
	if (!path || !entryId || !existsSync(path))
		return screen.say("resume-here: this session has not been saved yet, so it cannot be forked.", "warning");
	const fork = { act: "fork", path, cwd: host.cwd, entryId } as const;
	const arrived = await leaveFor(fork, ctx, (why) => screen.say(`resume-here: ${why}`, "warning"));
	if (arrived) await sharedIn(arrived.session)?.ports.resume.continueWith(continuation);
}

/** The new session has no parent, because lists hide empty sessions that have a parent. */
export async function continueFresh({ ctx }: TypedCommand, continuation: Continuation): Promise<void> {
	let opened: Shared | undefined;
	const { cancelled } = await ctx.newSession({
		withSession: async (next) => {
			opened = sharedIn(next.sessionManager);
		},
	});
	if (cancelled) return;
	await opened?.ports.resume.continueWith(continuation);
}

export async function confirmsFolder(
	ownCwd: string | undefined,
	{ cwd, ui }: Pick<ExtensionContext, "cwd" | "ui">,
): Promise<boolean> {
	const question = folderQuestion(ownCwd, cwd);
	return question === undefined || ownDialog(() => ui.confirm("Resume", question));
}

export function folderQuestion(ownCwd: string | undefined, cwd: string): string | undefined {
	const here = cleanLine(cwd);
	if (ownCwd === undefined || isSameFolder(ownCwd, cwd)) {
		return isFolder(cwd)
			? undefined
			: `This session's folder, ${here}, no longer exists. Continue without it?`;
	}
	const own = cleanLine(ownCwd);
	return isFolder(ownCwd)
		? `This session belongs to the folder ${own}, but pi is running in ${here}. Continue here?`
		: `This session's folder, ${own}, no longer exists. Continue in ${here}?`;
}
