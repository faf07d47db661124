import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Lease } from "../../session-core/store/lease.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { chosen, forkCommand, OPENING_CHOICES, STARTED_CHOICES, whyAsked } from "./question.ts";

type Ui = Pick<ExtensionContext["ui"], "select" | "notify" | "setEditorText" | "getEditorText">;

/** What the user decided about opening a session that another process has open. */
export type Decision = "fork" | "open" | "cancel";

/** Ask before a session is opened that is live elsewhere. No answer is a no. */
export async function askBeforeOpening(ui: Pick<Ui, "select">, lease: Lease, now: number): Promise<Decision> {
	const picked = await ui.select(whyAsked(lease, now), Object.values(OPENING_CHOICES));
	return chosen(OPENING_CHOICES, picked) ?? "cancel";
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
export async function guardSwitch(ui: Ui, lease: Lease, now: number): Promise<Decision> {
	const decision = await askBeforeOpening(ui, lease, now);
	if (decision === "fork") layCommand(ui, forkCommand(lease.sessionId), "goes on in a fork of it");
	return decision;
}

export interface Arrival {
	ui: Ui;
	lease: Lease;
	sessionId: string;
	now: number;
	/** Nobody types and nothing runs: a dialog may take the keyboard. */
	calm: boolean;
	/** Takes the dialog away when the session ends before it is answered. */
	signal: AbortSignal;
}

/** A session was opened at the start that is live elsewhere: say so, and offer the ways out. Nothing waits for the answer. */
export async function askOnArrival({ ui, lease, sessionId, now, calm, signal }: Arrival): Promise<void> {
	if (!calm) {
		ui.notify(`${whyAsked(lease, now)} ${forkCommand(sessionId)} goes on in a copy.`, "warning");
		return;
	}
	const picked = await ui.select(whyAsked(lease, now), Object.values(STARTED_CHOICES), { signal });
	if (signal.aborted) return;
	const choice = chosen(STARTED_CHOICES, picked);
	if (choice === "fork") layCommand(ui, forkCommand(sessionId), "goes on in a fork of it");
	if (choice === "fresh") layCommand(ui, "/new", "starts a new session");
	if (choice === undefined) ui.notify(`${forkCommand(sessionId)} goes on in a copy at any time.`, "info");
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
