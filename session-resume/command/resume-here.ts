import { existsSync } from "node:fs";
import {
	type Continuation,
	commandForm,
	type ExtensionContext,
	getAgentDir,
	type HostSession,
	helpText,
	keyHelp,
	ownDialog,
	readArguments,
	type Shared,
	sharedIn,
	VERSION,
} from "../../session-core/pi/index.ts";
import {
	isBranching,
	type NextStep,
	openOf,
	type Prepared,
	pointsOf,
	type Sending,
	type SessionRecord,
	sendable,
	wholeRequest,
	withHint,
} from "../../session-core/recap/index.ts";
import {
	couldBePlanted,
	goalPrompt,
	type Handover,
	isQuotedStep,
	relatedLines,
	resumePrompt,
	stepPrompt,
} from "../../session-core/sessions/index.ts";
import {
	cleanLine,
	cleanText,
	clipColumns,
	isFolder,
	isSameFolder,
	type ModelName,
} from "../../session-core/text/index.ts";
import { leaveFor } from "../leaving/leave.ts";
import type { ResumeSession, TypedCommand } from "../session.ts";
export const RESUME_HERE = commandForm({
	name: "resume-here",
	options: [
		["", "Put the session's next step in the editor"],
		["2", "Put the second of the session's next steps in the editor"],
		["--send", "Send the next step immediately"],
		["--branch", "Continue in a fork and leave this session unchanged"],
		["--branch --always", "Continue in a fork, and make forking the default for this session"],
		["--no-branch", "Continue this session without forking it, even if forking is the default"],
		["--no-branch --always", "Continue this session without forking it, and no longer fork it by default"],
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
		/** Undefined if the record determines whether the session is continued in a fork. */
		branch: forks ? isFork : undefined,
		/** If `always` is true, `branch` also applies whenever this session is resumed in the future. */
		always: options.has("--always"),
		/** If `fresh` is empty, the next step becomes the goal of the new session. */
		fresh,
	};
}

type HereOptions = Partial<Omit<Extract<ReturnType<typeof parseHere>, { type: "go" }>, "type">>;

export async function runHere(args: string, command: TypedCommand): Promise<void> {
	const action = parseHere(args);
	if (action.type !== "go") return command.session.say(...helpText(RESUME_HERE, action, keyHelp("next")));
	await resumeHere(action, command);
}

export async function resumeHere(options: HereOptions, command: TypedCommand): Promise<void> {
	const { session } = command;
	const { host } = session;
	const state = session.stateFor("resume-here");
	if (!state) return;
	const recap = state.shown;
	const step = options.step === undefined ? openOf(recap).next : pointsOf(recap)[options.step - 1];
	const action = wholeStep(state, step);
	if (options.step !== undefined && action === undefined)
		return session.say(noSuchStep(recap, options.step), "warning");
	if (!(await confirmsFolder(host.ownCwd, command.ctx))) return;
	if (!session.isReady("resume-here")) return;
	if (options.always && !remember(session, state, options.branch === true)) return;
	const isFresh = options.fresh !== undefined;
	const goal = options.fresh ? goalPrompt(recap, await handover(host, options.fresh)) : undefined;
	if (!session.isReady("resume-here")) return;
	const prompt = goal ?? (isFresh ? resumePrompt(recap, action, { isFresh }) : action && stepPrompt(action));
	const isSent = options.send && prompt !== undefined && (goal ?? action) !== undefined;
	// If the user has typed a goal, the goal is sent instead of the next step.
	const sending = isSent ? sendingHere(session, prompt, goal === undefined ? action : undefined) : undefined;
	const why = sending?.ok === false ? sending.reason : undefined;
	if (why === "planted") session.say(PLANTED, "warning");
	else if (why) session.say(ANSWER_FIRST);
	const continuation = { prompt, send: sending?.ok ? sending.send : undefined };
	if (isFresh) return continueFresh(command, continuation);
	const branches = options.branch ?? isBranching(recap, state.reading.id);
	if (branches) await continueInFork(command, host.source.getLeafId(), continuation);
	else if (!(await continueHere(session, continuation))) session.say(NOTHING_OPEN);
}

const PLANTED =
	"resume-here: nothing was sent, because this session's file may come from someone else's repository. Check the text in the editor, then press Enter to send it.";

function sendingHere({ host }: ResumeSession, prompt: string, step: NextStep | undefined): Sending {
	const { source, origin, ownCwd = "", cwd } = host;
	const file = { path: source.getSessionFile() ?? "", cwd: ownCwd, parentSession: origin.parentSession };
	return sendable(prompt, step, {
		isPlanted: couldBePlanted(file, { agentDir: getAgentDir(), cwd }),
		isQuoted: isQuotedStep(step, source.getEntries()),
	});
}

const RELATED = 6;

async function handover(host: HostSession, goal: string): Promise<Handover> {
	const path = host.source.getSessionFile();
	if (path === undefined) return { goal, related: [], session: undefined };
	const related = await relatedLines(path, goal, RELATED);
	return { goal, related, session: host.id };
}

function remember(session: ResumeSession, { shown, reading }: Prepared, branches: boolean): boolean {
	const recap = withHint(shown, { branch_on_resume: branches });
	const kept = session.save(recap, reading.existing);
	if (!kept.ok) session.sayNotSaved(kept);
	return kept.ok;
}

function noSuchStep({ next_actions: steps }: SessionRecord, step: number): string {
	if (steps.length === 0) return NOTHING_OPEN;
	const list = steps.map((text, index) => `  ${index + 1} ${text}`).join("\n");
	return `resume-here: there is no step ${step}. Choose one of these steps:\n${list}`;
}

const ANSWER_FIRST =
	"resume-here: the next step was not sent, because it is a question, request, offer, suggestion or quotation. Check the text in the editor, then press Enter to send it.";

const NOTHING_OPEN = "resume-here: this session has no next step. Type your next prompt.";

/**
 * Continues the session with the given prompt. Without a prompt, the session's next step is used.
 * Returns false if the session has no next step. If `keepsCard` is true, the card stays on the screen.
 */
export async function continueHere(
	session: ResumeSession,
	continuation: Continuation,
	{ keepsCard = false }: { keepsCard?: boolean } = {},
): Promise<boolean> {
	const state = session.state();
	const given = continuation.send ?? continuation.prompt;
	const isGiven = given !== undefined;
	if (session.over.aborted || (!isGiven && !state)) return true;
	const step = isGiven ? undefined : state && wholeStep(state, openOf(state.shown).next);
	const prompt = given ?? (step && stepPrompt(step));
	const restored = await restoreModel(state && modelOf(state), session);
	if (session.over.aborted) return true;
	if (restored) session.say(restored.text, restored.kind);
	if (!prompt) return false;
	if (!keepsCard) session.card.hide();
	session.log("resume.continued", {
		session: session.host.id,
		path: session.deliver(prompt, continuation.send),
		from: isGiven ? "given" : "record",
		// A record that was generated only for display has no id.
		record: state?.shown.id || undefined,
		characters: prompt.length,
	});
	return true;
}

/**
 * A record contains only the first line of an interrupted request, so the complete request is read from
 * the timeline.
 */
export function wholeStep({ reading }: Prepared, action: NextStep | undefined): NextStep | undefined {
	const text = action && wholeRequest(reading.timeline, action, true);
	return action && text !== undefined ? { ...action, text: cleanText(text) } : action;
}

/** Returns the session's model from the log or, if the log does not name one, from the record. */
function modelOf({ reading, shown }: Prepared): ModelName | undefined {
	const { provider, model } = shown.resume_hint ?? {};
	const hinted = provider !== undefined && model !== undefined ? { provider, id: model } : undefined;
	return reading.model ?? hinted;
}

/** If a model cannot be restored, pi 1.6.0 and later versions report the problem themselves. */
const HOST_SAYS_IT = VERSION.localeCompare("1.6.0", "en", { numeric: true }) >= 0;

/**
 * Restores the session's model, because pi may have started with another model. Returns undefined if there
 * is nothing to report.
 */
export async function restoreModel(
	own: ModelName | undefined,
	session: Pick<ResumeSession, "activeModel" | "switchModel">,
	hostSaysIt = HOST_SAYS_IT,
): Promise<{ text: string; kind: "info" | "warning" } | undefined> {
	const active = session.activeModel();
	if (!own || (active?.provider === own.provider && active.id === own.id)) return undefined;
	const name = cleanLine(`${own.provider}/${own.id}`);
	const outcome = await session.switchModel(own);
	if (outcome === "switched")
		return { text: `resume: pi switched back to this session's model, ${name}.`, kind: "info" };
	if (hostSaysIt) return undefined;
	const problem =
		outcome === "no_credentials"
			? `resume: no credentials were found for this session's model, ${name}.`
			: `resume: this session's model, ${name}, is not available.`;
	const otherModel = active && `${active.provider}/${active.id}`;
	const instead = otherModel
		? `The session will use the model ${otherModel}.`
		: "Type /model to choose another model.";
	return { text: `${problem} ${instead}`, kind: "warning" };
}

export async function continueInFork(
	{ session, ctx }: TypedCommand,
	entryId: string | null | undefined,
	continuation: Continuation,
): Promise<void> {
	const { host, say } = session;
	const path = host.source.getSessionFile();
	if (!path || !entryId || !existsSync(path))
		return say("resume-here: this session has not been saved yet, so it cannot be forked.", "warning");
	const fork = { act: "fork", path, cwd: host.cwd, entryId } as const;
	await continueThere(fork, continuation, ctx, (why) => say(`resume-here: ${why}`, "warning"));
}

export async function continueThere(
	leaving: Parameters<typeof leaveFor>[0],
	continuation: Continuation,
	ctx: TypedCommand["ctx"],
	refuse: (why: string) => void,
): Promise<void> {
	const arrived = await leaveFor(leaving, ctx, refuse);
	if (leaving.act === "repair") arrived?.ui.notify(arrived.done);
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
		return isFolder(cwd) ? undefined : `This session's folder, ${here}, no longer exists. Continue anyway?`;
	}
	const own = cleanLine(ownCwd);
	return isFolder(ownCwd)
		? `This session belongs to the folder ${own}, but pi is running in ${here}. Continue here?`
		: `This session's folder, ${own}, no longer exists. Continue in ${here}?`;
}
