import { once } from "node:events";
import { checkSession } from "../../session-core/log/index.ts";
import {
	type Choice,
	type ExtensionContext,
	getAgentDir,
	type HeldPrompt,
	holdPrompt,
	isInTerminal,
	pickFrom,
	VERSION,
} from "../../session-core/pi/index.ts";
import {
	canGo,
	explainObstacle,
	type GoOutcome,
	goTo,
	isRepairable,
	type Lease,
	obstacleToOpening,
} from "../../session-core/sessions/index.ts";
import { safeSessionId, startTimer } from "../../session-core/text/index.ts";
import { describeWriter, forkCommand, openInText, otherWriter, permits } from "./leases.ts";

/** Returns false if the session must not be opened, and tells the user why. */
export async function mayOpen(ctx: ExtensionContext, path: string, signal: AbortSignal): Promise<boolean> {
	const isAllowed = permits.has(path) || (await mayShare(ctx, path, signal));
	// The session file is checked last, so that the file is unlikely to change before pi opens it.
	return isAllowed && isFree(path, { writes: "file", repair: "/sessions opens a repaired copy." }, ctx);
}

async function mayShare(ctx: ExtensionContext, path: string, signal: AbortSignal): Promise<boolean> {
	const lease = otherWriter(getAgentDir(), { sessionFile: path });
	if (!lease) return true;
	// In RPC mode, the client may not be able to show a dialog, so the user gets a message instead.
	if (!isInTerminal(ctx)) {
		const id = safeSessionId(lease.sessionId);
		const ways = `${forkCommand(id)} continues in a fork; /resume-from ${id} asks what to do.`;
		ctx.ui.notify(`${openInText(describeWriter(lease))} It was not opened. ${ways}`, "warning");
		return false;
	}
	if ((await askAboutLease(OPENING, questionOn(ctx, lease, signal))) !== "open") return false;
	permits.allow(path);
	return true;
}

export async function greet(ctx: ExtensionContext, lease: Lease, signal: AbortSignal): Promise<void> {
	const { ui } = ctx;
	// Dialogs take the keyboard focus, so they open only if the editor is empty and the agent is idle.
	if (!isInTerminal(ctx) || !ctx.isIdle() || ui.getEditorText().trim() !== "") {
		const fork = `${forkCommand(ctx.sessionManager.getSessionId())} continues in a fork.`;
		ui.notify(`${openInText(describeWriter(lease))} ${fork}`, "warning");
		return;
	}
	// If the user presses Esc, a new session is started, so that two processes do not write to one file.
	const answer = await askAboutLease(STARTED, { ...questionOn(ctx, lease, signal), dismissed: "fresh" });
	if (answer !== "cancel" && !signal.aborted) await once(signal, "abort");
}

function questionOn({ ui, sessionManager }: ExtensionContext, lease: Lease, signal: AbortSignal) {
	const prompt = holdPrompt(ui, sessionManager.getSessionId());
	return { ui, prompt, lease, go: canGo(lease) ? () => goTo(lease) : undefined, signal };
}

export function mayFork(ctx: ExtensionContext): Promise<boolean> {
	const { sessionManager: manager } = ctx;
	const file = manager.getSessionFile();
	const repair = `${forkCommand(manager.getSessionId())} continues in a repaired copy.`;
	return file ? isFree(file, { writes: "folder", repair }, ctx) : Promise.resolve(true);
}

export async function damageIn({
	sessionManager: manager,
}: Pick<ExtensionContext, "sessionManager">): Promise<string | undefined> {
	const file = manager.getSessionFile();
	const check = file === undefined ? undefined : await checkSession(file);
	return check?.ok && !check.sound
		? `this session's file is damaged, so some of it may be missing here. ${forkCommand(manager.getSessionId())} continues in a repaired copy.`
		: undefined;
}

/**
 * pi closes the current session before it opens another session. If the other session cannot be opened,
 * pi exits without giving a reason.
 */
async function isFree(
	path: string,
	{ writes, repair }: { writes: "file" | "folder"; repair: string },
	{ ui }: Pick<ExtensionContext, "ui">,
): Promise<boolean> {
	// pi can open missing files, empty files and symlinks, so `isFree` accepts all of them.
	const accepted = ["missing", "empty", "symlink"] as const;
	const obstacle = await obstacleToOpening(path, { version: () => VERSION, writes, accepted });
	const remedy = obstacle && isRepairable(obstacle) ? ` ${repair}` : "";
	if (obstacle) ui.notify(`Not opened: ${explainObstacle(obstacle)}${remedy}`, "warning");
	return !obstacle;
}

type Answer = "go" | "go_and_quit" | "quit" | "fork" | "open" | "fresh" | "cancel";

export const OPENING: readonly Choice<Answer>[] = [
	{ label: "Go there", value: "go" },
	{ label: "Fork: continue in a copy", value: "fork" },
	{ label: "Open anyway", value: "open" },
	{ label: "Cancel", value: "cancel" },
];

export const STARTED: readonly Choice<Answer>[] = [
	{ label: "Go to the other terminal and quit pi here", value: "go_and_quit" },
	{ label: "Fork: continue in a copy", value: "fork" },
	{ label: "Stay in this session anyway", value: "cancel" },
	{ label: "Leave this session and start a new one", value: "fresh" },
];

const QUIT: Choice<Answer> = { label: "Quit pi here", value: "quit" };

interface OpenElsewhere {
	ui: Pick<ExtensionContext["ui"], "select" | "notify">;
	prompt: HeldPrompt;
	lease: Lease;
	/** Undefined if the other terminal cannot be brought to the front. */
	go: (() => Promise<GoOutcome>) | undefined;
	signal: AbortSignal;
	/** The choice that is returned if the user presses Esc. */
	dismissed?: Answer;
}

export async function askAboutLease(
	choices: readonly Choice<Answer>[],
	{ ui, prompt, lease, go, signal, dismissed }: OpenElsewhere,
): Promise<Answer | undefined> {
	const goes = (value: Answer | undefined) => value === "go" || value === "go_and_quit";
	const pick = async (title: string, offered: readonly Choice<Answer>[]) =>
		(await pickFrom(ui, title, offered, { signal })) ?? dismissed;
	const offered = choices.filter(({ value }) => go || !goes(value));
	let answer = await pick(openInText(describeWriter(lease)), offered);
	const went = goes(answer) && !signal.aborted ? await go?.() : undefined;
	if (went?.ok === false && answer === "go_and_quit" && !signal.aborted)
		answer = await pick(
			went.message,
			choices.map((choice) => (choice.value === "go_and_quit" ? QUIT : choice)),
		);
	else if (went && !signal.aborted) ui.notify(went.message, went.ok ? "info" : "warning");
	if (signal.aborted) {
		prompt.release();
		return undefined;
	}
	/**
	 * pi switches sessions only if a command is submitted in the editor. If the extension cannot submit
	 * the command, the user is asked to type it.
	 */
	const run = (command: string, effect: string) => {
		const name = () => signal.aborted || ui.notify(`Type ${command}: it ${effect}.`, "warning");
		if (!prompt.run(command, name)) name();
	};
	if (answer === "fork")
		startTimer("sessions", 0, () => run(forkCommand(lease.sessionId), "continues in a fork of it"));
	else if (answer === "fresh") run("/new", "starts a new session");
	else if (answer === "quit" || answer === "go_and_quit") {
		// The dialog disappears when pi quits, so the dialog's message is also printed to the terminal.
		if (answer === "quit") process.once("exit", () => void process.stderr.write(`${went?.message}\n`));
		run("/quit", "quits pi here");
	} else if (answer === "open") prompt.handOver();
	else prompt.release();
	return answer;
}
