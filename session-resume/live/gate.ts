import {
	type Choice,
	type ExtensionContext,
	getAgentDir,
	type HeldPrompt,
	holdPrompt,
	isInTerminal,
	pickFrom,
	VERSION,
} from "../../session-core/host/index.ts";
import { type GoOutcome, type Lease, type WayThere, wayTo } from "../../session-core/live/index.ts";
import { checkSession } from "../../session-core/session-file/index.ts";
import { otherWriter, permits } from "./leases.ts";
import { obstacleToOpening, obstacleToWriting } from "./obstacles.ts";
import { forkCommand, openElsewhereText, waysToOpen } from "./writer-text.ts";

type Ui = Pick<ExtensionContext["ui"], "select" | "notify">;

/**
 * Called before the host opens another session. Asks the user if another process has that session open. If the session must not be opened,
 * tells the user and returns false. `signal` aborts when the current session ends.
 */
export async function mayOpen(ctx: ExtensionContext, path: string, signal: AbortSignal): Promise<boolean> {
	const isAllowed = permits.has(path) || (await mayShare(ctx, path, signal));
	if (!isAllowed) return false;
	// This check comes last, because the host opens the file right after it.
	return !isRefused(await obstacleToOpening(path, VERSION), ctx);
}

/** Asks whether to open a session that another process has open. Returns false if the user decides against it. */
async function mayShare(ctx: ExtensionContext, path: string, signal: AbortSignal): Promise<boolean> {
	const lease = otherWriter(getAgentDir(), { sessionFile: path });
	if (!lease) return true;
	if (!isInTerminal(ctx)) {
		// In RPC mode, a program waits for the answer to its request and may not be able to show a dialog.
		ctx.ui.notify(`${openElsewhereText(lease)} It was not opened. ${waysToOpen(lease)}`, "warning");
		return false;
	}
	const prompt = holdPrompt(ctx.ui, ctx.sessionManager.getSessionId());
	if ((await guardSwitch(ctx.ui, prompt, { lease, way: wayTo(lease), signal })) !== "open") return false;
	// The host calls this hook a second time if it has to ask for another folder, so the user's permission is stored.
	permits.allow(path);
	return true;
}

/** Called before the host forks the open session. If the session must not be forked, tells the user and returns false. */
export async function mayFork(ctx: ExtensionContext): Promise<boolean> {
	const file = ctx.sessionManager.getSessionFile();
	return !isRefused(file && (await obstacleToForking(file, ctx.sessionManager.getSessionId())), ctx);
}

/**
 * Returns why the session must not be forked. The host forks from the file, not from memory. If the header of the file is torn, the host
 * first replaces the file with an empty session.
 */
async function obstacleToForking(path: string, id: string): Promise<string | undefined> {
	const check = await checkSession(path);
	if (check.ok && !check.sound)
		return `The file of this session is damaged, so pi could lose it. ${forkCommand(id)} continues in a repaired copy.`;
	return obstacleToWriting(path);
}

function isRefused(obstacle: string | undefined, { ui }: Pick<ExtensionContext, "ui">): boolean {
	if (obstacle !== undefined) ui.notify(obstacle, "warning");
	return obstacle !== undefined;
}

/**
 * The choices that are offered before a session is opened. The first choice is harmless. `go` is offered only if the other terminal
 * can be brought to the front.
 */
const OPENING_LABELS = {
	go: "Go there",
	fork: "Fork: continue in a copy",
	open: "Open anyway",
	cancel: "Cancel",
};

/** The choices that are offered if pi was started with a session that another process has open. */
const STARTED_LABELS = {
	go: "Go to the other terminal and quit this pi",
	fork: "Fork: continue in a copy",
	stay: "Stay in this session anyway",
	fresh: "Leave this session and start a new one",
};

function choicesOf<Key extends string>(
	labels: Readonly<Record<Key, string>>,
	{ canGo }: { canGo: boolean },
): Choice<Key>[] {
	const keys = Object.keys(labels) as Key[];
	return keys.filter((key) => key !== "go" || canGo).map((key) => ({ label: labels[key], value: key }));
}

/** Data for asking the user, in the current session, about a session that another process has open. */
interface OpenElsewhere {
	lease: Lease;
	way: WayThere;
	/** Aborts when the current session ends. A later answer is ignored. */
	signal: AbortSignal;
}

/**
 * Asks the user in the hook that runs before the host's own `/resume` opens a session. If the user does not answer, the result is "cancel".
 * The hook itself cannot open a session, so a fork is made by a command that runs after the hook. Until then, `prompt` holds back what the
 * user types.
 */
export async function guardSwitch(
	ui: Ui,
	prompt: HeldPrompt,
	{ lease, way, signal }: OpenElsewhere,
): Promise<"go" | "fork" | "open" | "cancel"> {
	const decision = (await pickFrom(ui, openElsewhereText(lease), choicesOf(OPENING_LABELS, way))) ?? "cancel";
	const run = performer({ ui, prompt, signal });
	if (decision === "fork") setTimeout(() => run(forkCommand(lease.sessionId), "continues in a fork of it"));
	else if (decision === "open") prompt.handOver();
	else prompt.release();
	if (decision === "go") reportOutcome(ui, await way.go());
	return decision;
}

/** Tells the user that the session with which pi was started is open in another process. `signal` aborts when the session ends. */
export async function greet(ctx: ExtensionContext, lease: Lease, signal: AbortSignal): Promise<void> {
	const { ui } = ctx;
	const sessionId = ctx.sessionManager.getSessionId();
	const calm = isInTerminal(ctx) && ctx.isIdle() && ui.getEditorText().trim() === "";
	const hold = () => holdPrompt(ui, sessionId);
	await askOnArrival({ ui, hold, lease, way: wayTo(lease), sessionId, calm, signal });
}

interface Arrival extends OpenElsewhere {
	ui: Ui;
	hold(): HeldPrompt;
	sessionId: string;
	/** Whether the editor is empty and the agent idle, so that a dialog may take the keyboard. */
	calm: boolean;
}

/** Offers choices if pi was started with a session that another process already has open. Nothing waits for the answer. */
export async function askOnArrival(arrival: Arrival): Promise<void> {
	const { ui, lease, way, sessionId, calm, signal } = arrival;
	const question = openElsewhereText(lease);
	if (!calm) {
		ui.notify(`${question} ${forkCommand(sessionId)} continues in a fork.`, "warning");
		return;
	}
	const prompt = arrival.hold();
	const choice = await pickFrom(ui, question, choicesOf(STARTED_LABELS, way), { signal });
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
	if (choice === undefined) ui.notify(`${forkCommand(sessionId)} continues in a fork at any time.`, "info");
}

function reportOutcome(ui: Ui, { ok, message }: GoOutcome): void {
	ui.notify(message, ok ? "info" : "warning");
}

/**
 * Returns a function that carries out a choice. Only a typed command may replace a session, so if the command cannot be run for the user,
 * it is shown instead.
 */
function performer({ ui, prompt, signal }: { ui: Ui; prompt: HeldPrompt; signal: AbortSignal }) {
	return (command: string, effect: string): void => {
		const name = () => signal.aborted || ui.notify(`Type ${command}: it ${effect}.`, "warning");
		if (!prompt.run(command, name)) name();
	};
}
