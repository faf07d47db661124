import { once } from "node:events";
import { checkSession, fileErrorText, tooLargeText } from "../../session-core/log/index.ts";
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
import { canGo, fileObstacle, type GoOutcome, goTo, type Lease } from "../../session-core/sessions/index.ts";
import { safeSessionId, writeObstacle } from "../../session-core/text/index.ts";
import { describeWriter, forkCommand, openInText, otherWriter, permits } from "./leases.ts";

/** If the result is false, the user has already been told why the session was not opened. */
export async function mayOpen(ctx: ExtensionContext, path: string, signal: AbortSignal): Promise<boolean> {
	const isAllowed = permits.has(path) || (await mayShare(ctx, path, signal));
	// The host opens the file right after this check, so the file is checked last.
	return isAllowed && !isRefused(await obstacleToOpening(path), ctx);
}

async function mayShare(ctx: ExtensionContext, path: string, signal: AbortSignal): Promise<boolean> {
	const lease = otherWriter(getAgentDir(), { sessionFile: path });
	if (!lease) return true;
	// In RPC mode, a program waits for the response and may not be able to show a dialog.
	if (!isInTerminal(ctx)) {
		const id = safeSessionId(lease.sessionId);
		const ways = `${forkCommand(id)} continues in a fork; /resume-from ${id} asks what to do.`;
		return !isRefused(`${openInText(describeWriter(lease))} It was not opened. ${ways}`, ctx);
	}
	if ((await askAboutLease(OPENING, questionOn(ctx, lease, signal))) !== "open") return false;
	// The host calls this hook a second time if it has to ask for another folder, so the user's permission is stored.
	permits.allow(path);
	return true;
}

export async function greet(ctx: ExtensionContext, lease: Lease, signal: AbortSignal): Promise<void> {
	const { ui } = ctx;
	// A dialog may take the keyboard only if the editor is empty and the agent is idle.
	if (!isInTerminal(ctx) || !ctx.isIdle() || ui.getEditorText().trim() !== "") {
		const fork = `${forkCommand(ctx.sessionManager.getSessionId())} continues in a fork.`;
		ui.notify(`${openInText(describeWriter(lease))} ${fork}`, "warning");
		return;
	}
	// Pressing Esc must not leave the session open in two processes.
	const answer = await askAboutLease(STARTED, { ...questionOn(ctx, lease, signal), dismissed: "fresh" });
	if (answer !== "cancel" && !signal.aborted) await once(signal, "abort");
}

function questionOn({ ui, sessionManager }: ExtensionContext, lease: Lease, signal: AbortSignal) {
	const prompt = holdPrompt(ui, sessionManager.getSessionId());
	return { ui, prompt, lease, go: canGo(lease) ? () => goTo(lease) : undefined, signal };
}

export async function mayFork(ctx: ExtensionContext): Promise<boolean> {
	const file = ctx.sessionManager.getSessionFile();
	return !isRefused(file && (await obstacleToForking(file, ctx.sessionManager.getSessionId())), ctx);
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

/** The host reads the file to fork the session. If the file's first line is damaged, the host replaces the file with an empty session. */
async function obstacleToForking(path: string, id: string): Promise<string | undefined> {
	const obstacle = await fileObstacle(path, () => undefined);
	return obstacle?.reason === "damaged"
		? `This session's file is damaged, so pi could lose it. ${forkCommand(id)} continues in a repaired copy.`
		: obstacleToWriting(path);
}

/** The host closes the current session before it opens the other session. If opening fails, the host exits without giving a reason. */
export async function obstacleToOpening(path: string): Promise<string | undefined> {
	const { reason, detail } = (await fileObstacle(path, (size) => tooLargeText(size, VERSION))) ?? {};
	switch (reason) {
		case "too_large":
			return detail;
		case "damaged":
			return "This session's file is damaged, so pi could lose part of it. /sessions opens a repaired copy.";
		case "no_permission":
		case "not_regular":
		case "failed":
			return `Not opened: this session's file cannot be read. ${fileErrorText(detail)}`;
		default:
			return obstacleToWriting(path);
	}
}

/** The host appends to the session's file, or creates a fork in the same folder, so both must be writable. */
function obstacleToWriting(path: string): string | undefined {
	const detail = writeObstacle(path);
	return (
		detail && `Not opened: this session's folder is not writable, so pi would exit. ${fileErrorText(detail)}`
	);
}

function isRefused(obstacle: string | undefined, { ui }: Pick<ExtensionContext, "ui">): boolean {
	if (obstacle !== undefined) ui.notify(obstacle, "warning");
	return obstacle !== undefined;
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
	/** `go` is undefined if the other terminal cannot be brought to the front. */
	go: (() => Promise<GoOutcome>) | undefined;
	signal: AbortSignal;
	/** If the user presses Esc, the dialog returns the answer `dismissed`. */
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
	/** Only a typed command may replace a session. If the editor is in use, a message shows the command instead. */
	const run = (command: string, effect: string) => {
		const name = () => signal.aborted || ui.notify(`Type ${command}: it ${effect}.`, "warning");
		if (!prompt.run(command, name)) name();
	};
	// The host's hook cannot open another session, so the fork is created after the hook has returned.
	if (answer === "fork") setTimeout(() => run(forkCommand(lease.sessionId), "continues in a fork of it"));
	else if (answer === "fresh") run("/new", "starts a new session");
	else if (answer === "quit" || answer === "go_and_quit") {
		// The dialog disappears when pi quits, so its text is printed to the terminal.
		if (answer === "quit") process.once("exit", () => void process.stderr.write(`${went?.message}\n`));
		run("/quit", "quits pi here");
	} else if (answer === "open") prompt.handOver();
	else prompt.release();
	return answer;
}
