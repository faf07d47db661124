import { type ExtensionAPI, type ExtensionContext, getAgentDir } from "@mariozechner/pi-coding-agent";
import { writeObstacle } from "../../session-core/atomic-file.ts";
import { pick } from "../../session-core/host/pick.ts";
import { type HeldPrompt, holdPrompt } from "../../session-core/host/prompt.ts";
import { isInTerminal } from "../../session-core/host/tui.ts";
import { type GoOutcome, type WayThere, wayTo } from "../../session-core/live/go-to-terminal.ts";
import type { Lease } from "../../session-core/live/lease.ts";
import { fileErrorText } from "../../session-core/session-file/append.ts";
import { checkSession } from "../../session-core/session-file/check-session.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { ENGLISH } from "../../session-core/words/en.ts";
import type { Words } from "../../session-core/words/words.ts";
import { sharedWords } from "../instance-words.ts";
import { permitsOf } from "./permits.ts";
import { choicesOf, forkCommand, openElsewhereText, openingLabels, startedLabels } from "./question.ts";
import { otherWriter } from "./writers.ts";

type Ui = Pick<ExtensionContext["ui"], "select" | "notify">;

/** What the user decided about opening a session that another process has open. */
export type Decision = keyof ReturnType<typeof openingLabels>;

/**
 * The hook before the host opens another session: asks if another process has it open. False: it must not be opened, and the user
 * knows why. `signal` ends with the session that is left.
 */
export async function mayOpen(
	pi: Pick<ExtensionAPI, "events">,
	ctx: ExtensionContext,
	{ path, signal }: { path: string; signal: AbortSignal },
): Promise<boolean> {
	const isAllowed = permitsOf(pi).has(path) || (await mayShare(pi, ctx, { path, signal }));
	if (!isAllowed) return false;
	// Last: the host opens the file right after this.
	return !isRefused(await obstacleToOpening(path), ctx);
}

/** False: another process has the session open, and the user does not want to open it here too. */
async function mayShare(
	pi: Pick<ExtensionAPI, "events">,
	ctx: ExtensionContext,
	{ path, signal }: { path: string; signal: AbortSignal },
): Promise<boolean> {
	const agentDir = getAgentDir();
	const now = Date.now();
	const lease = otherWriter(agentDir, { sessionFile: path }, now);
	if (!lease) return true;
	if (!isInTerminal(ctx)) {
		refuseSwitch(ctx.ui, lease, now);
		return false;
	}
	const words = await sharedWords(pi);
	const there = { lease, way: wayTo(agentDir, lease, words), now, words, signal };
	const prompt = holdPrompt(ctx.ui, ctx.sessionManager.getSessionId());
	if ((await guardSwitch(ctx.ui, prompt, there)) !== "open") return false;
	// If the host has to ask for another folder, it calls the hook twice.
	permitsOf(pi).allow(path);
	return true;
}

/** The hook before the host forks the open session. False: it must not, and the user knows why. */
export function mayFork(ctx: ExtensionContext): boolean {
	const file = ctx.sessionManager.getSessionFile();
	return !isRefused(file === undefined ? undefined : obstacleToWriting(file), ctx);
}

function isRefused(obstacle: string | undefined, { ui }: Pick<ExtensionContext, "ui">): boolean {
	if (obstacle !== undefined) ui.notify(obstacle, "warning");
	return obstacle !== undefined;
}

/**
 * Why pi must not open this session now. The host closes the session that it leaves first, and exits with code 1 if it then cannot
 * open the other one, before it has painted why.
 */
async function obstacleToOpening(path: string): Promise<string | undefined> {
	const check = await checkSession(path);
	if (check.ok && !check.sound)
		return "The file of this session is damaged, so pi could lose part of it. /sessions opens a repaired copy.";
	if (!check.ok && (check.reason === "unreadable" || check.reason === "not_regular"))
		return `Not opened: the file of this session cannot be read. ${fileErrorText(check.detail)}`;
	return obstacleToWriting(path);
}

/** Opening and forking append to the session's file, or write another one beside it. */
function obstacleToWriting(path: string): string | undefined {
	const detail = writeObstacle(path);
	return (
		detail &&
		`Not opened: nothing can be written beside this session, so pi would exit. ${fileErrorText(detail)}`
	);
}

/** The session that another process has open, and the way to it. */
export interface Elsewhere {
	lease: Lease;
	way: WayThere;
	now: number;
	words: Words;
}

/** Ask before a session is opened that is live elsewhere. No answer is a no. */
export async function askBeforeOpening(
	ui: Pick<Ui, "select">,
	{ lease, way, now, words }: Elsewhere,
): Promise<Decision> {
	return (
		(await pick(ui, openElsewhereText(lease, now, words), choicesOf(openingLabels(words), way))) ?? "cancel"
	);
}

/**
 * A program (RPC mode) gets no dialog: it waits for the answer to its request, and may not show one. Nothing is opened, and the user
 * learns which commands ask.
 */
export function refuseSwitch(ui: Pick<Ui, "notify">, lease: Lease, now: number): void {
	const id = cleanLine(lease.sessionId);
	ui.notify(
		`${openElsewhereText(lease, now, ENGLISH)} It was not opened. ${forkCommand(id)} continues in a copy; /resume-from ${id} asks.`,
		"warning",
	);
}

/** The same, with the session that asks. */
export interface Opening extends Elsewhere {
	/** Aborts when that session ends: an answer is then ignored. */
	signal: AbortSignal;
}

/**
 * Ask in the hook before the host's own `/resume` opens it. A hook cannot open anything itself, so a fork is the command that makes
 * it, run when the hook is over. `prompt` holds what is typed meanwhile.
 */
export async function guardSwitch(ui: Ui, prompt: HeldPrompt, there: Opening): Promise<Decision> {
	const { signal } = there;
	const decision = await askBeforeOpening(ui, there);
	const run = performer({ ui, prompt, signal });
	if (decision === "fork")
		setTimeout(() => run(forkCommand(there.lease.sessionId), "continues in a fork of it"));
	else if (decision === "open") prompt.handOver();
	else prompt.release();
	if (decision === "go") reportOutcome(ui, await there.way.go());
	return decision;
}

export interface Arrival extends Opening {
	ui: Ui;
	/** Holds what is typed from now on. */
	hold(): HeldPrompt;
	sessionId: string;
	/** The editor is empty and the agent idle: a dialog may take the keyboard. */
	calm: boolean;
}

/** The session that pi was started with is open elsewhere: offers what can be done. Nothing waits for the answer. */
export async function askOnArrival(arrival: Arrival): Promise<void> {
	const { ui, lease, way, sessionId, now, words, calm, signal } = arrival;
	if (!calm) {
		ui.notify(
			`${openElsewhereText(lease, now, words)} ${forkCommand(sessionId)} continues in a copy.`,
			"warning",
		);
		return;
	}
	const prompt = arrival.hold();
	const choice = await pick(ui, openElsewhereText(lease, now, words), choicesOf(startedLabels(words), way), {
		signal,
	});
	const outcome = choice === "go" && !signal.aborted ? await way.go() : undefined;
	if (signal.aborted) {
		prompt.release();
		return;
	}
	if (outcome) reportOutcome(ui, outcome);
	const run = performer({ ui, prompt, signal });
	if (outcome?.ok) run("/quit", "leaves this one");
	else if (choice === "fork") run(forkCommand(sessionId), "continues in a fork of it");
	else if (choice === "fresh") run("/new", "starts a new session");
	else prompt.release();
	if (choice === undefined) ui.notify(`${forkCommand(sessionId)} continues in a copy at any time.`, "info");
}

function reportOutcome(ui: Ui, { ok, told }: GoOutcome): void {
	ui.notify(told, ok ? "info" : "warning");
}

/** Only a command that was typed may replace a session. If it cannot be typed for the user, it is named. */
function performer({ ui, prompt, signal }: { ui: Ui; prompt: HeldPrompt; signal: AbortSignal }) {
	return (command: string, effect: string): void => {
		const name = () => signal.aborted || ui.notify(`Type ${command}: it ${effect}.`, "warning");
		if (!prompt.run(command, name)) name();
	};
}
