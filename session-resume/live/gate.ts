import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { GoOutcome } from "../../session-core/live-terminal/go.ts";
import type { Lease } from "../../session-core/store/lease.ts";
import { pick } from "../../session-core/terminal/pick.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import type { Words } from "../../session-core/words/words.ts";
import type { WayThere } from "./go-there.ts";
import { choicesOf, forkCommand, openingLabels, startedLabels, whyAsked } from "./question.ts";

type Ui = Pick<ExtensionContext["ui"], "select" | "notify" | "setEditorText" | "getEditorText">;

/** What the user decided about opening a session that another process has open. */
export type Decision = keyof ReturnType<typeof openingLabels>;

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
	return (await pick(ui, whyAsked(lease, now, words), choicesOf(openingLabels(words), way))) ?? "cancel";
}

/**
 * Where a program asked for it (RPC mode), no dialog: it waits for an answer to what it asked, and may show none. Nothing is
 * opened, and the user learns of the ways that ask.
 */
export function refuseSwitch(ui: Pick<Ui, "notify">, lease: Lease, now: number): void {
	const id = cleanLine(lease.sessionId);
	ui.notify(
		`${whyAsked(lease, now)} It was not opened. ${forkCommand(id)} goes on in a copy; /resume-from ${id} asks.`,
		"warning",
	);
}

/**
 * Ask in the hook before the host's own `/resume` opens it. A hook cannot open anything itself, so a fork is laid into the
 * editor as the command that does it: one Enter away.
 */
export async function guardSwitch(ui: Ui, there: Elsewhere): Promise<Decision> {
	const decision = await askBeforeOpening(ui, there);
	if (decision === "fork") layCommand(ui, forkCommand(there.lease.sessionId), "goes on in a fork of it");
	if (decision === "go") tellOfWay(ui, await there.way.go());
	return decision;
}

export interface Arrival extends Elsewhere {
	ui: Ui;
	sessionId: string;
	/** Nobody types and nothing runs: a dialog may take the keyboard. */
	calm: boolean;
	/** Takes the dialog away when the session ends before it is answered. */
	signal: AbortSignal;
}

/** A session was opened at the start that is live elsewhere: say so, and offer the ways out. Nothing waits for the answer. */
export async function askOnArrival({
	ui,
	lease,
	way,
	sessionId,
	now,
	words,
	calm,
	signal,
}: Arrival): Promise<void> {
	if (!calm) {
		ui.notify(`${whyAsked(lease, now, words)} ${forkCommand(sessionId)} goes on in a copy.`, "warning");
		return;
	}
	const choice = await pick(ui, whyAsked(lease, now, words), choicesOf(startedLabels(words), way), {
		signal,
	});
	if (signal.aborted) return;
	if (choice === "go") {
		const outcome = await way.go();
		if (signal.aborted) return;
		tellOfWay(ui, outcome);
		if (outcome.ok) layCommand(ui, "/quit", "leaves this one");
	}
	if (choice === "fork") layCommand(ui, forkCommand(sessionId), "goes on in a fork of it");
	if (choice === "fresh") layCommand(ui, "/new", "starts a new session");
	if (choice === undefined) ui.notify(`${forkCommand(sessionId)} goes on in a copy at any time.`, "info");
}

function tellOfWay(ui: Ui, { ok, told }: GoOutcome): void {
	ui.notify(told, ok ? "info" : "warning");
}

function layCommand(ui: Ui, command: string, effect: string): void {
	// What the user has typed is not ours to replace.
	if (ui.getEditorText().trim() !== "") {
		ui.notify(`${command} ${effect}.`, "info");
		return;
	}
	ui.setEditorText(command);
	ui.notify(`Press Enter: ${command} ${effect}.`, "info");
}
