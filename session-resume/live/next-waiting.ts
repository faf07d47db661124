import { type ExtensionContext, getAgentDir } from "@mariozechner/pi-coding-agent";
import { type GoOutcome, wayTo } from "../../session-core/live/go-to-terminal.ts";
import { type Lease, liveLeases } from "../../session-core/live/lease-files.ts";
import { ownLeases } from "./writers.ts";

/** The fields of a lease that decide whether and when it is visited. */
type Waiting = Pick<Lease, "instance" | "sessionId" | "state">;

/** Whether a session needs the user, including one that failed unseen, and is neither open here nor this session. */
export function needsUserElsewhere(
	{ state, instance, sessionId }: Waiting,
	here: { sessionId: string; own: ReadonlySet<string> },
): boolean {
	const needs = state === "needs_you" || state === "failed";
	return needs && sessionId !== here.sessionId && !here.own.has(instance);
}

/** Returns the waiting sessions in the order in which the key visits them: a fixed circle that begins after `from`. */
export function inTurn<T extends Waiting>(waiting: readonly T[], from: string): T[] {
	const inOrder = waiting.toSorted((one, other) => (one.instance < other.instance ? -1 : 1));
	const later = inOrder.findIndex(({ instance }) => instance > from);
	return later < 0 ? inOrder : [...inOrder.slice(later), ...inOrder.slice(0, later)];
}

/**
 * Goes to the first of these terminals that can be brought to the front. Returns that lease; otherwise, the reason for the first one, or
 * undefined if there is none.
 */
export async function goToFirst<T>(
	turn: readonly T[],
	go: (lease: T) => Promise<GoOutcome>,
): Promise<{ lease?: T; outcome: GoOutcome } | undefined> {
	let failed: { outcome: GoOutcome } | undefined;
	for (const lease of turn) {
		const outcome = await go(lease);
		if (outcome.ok) return { lease, outcome };
		failed ??= { outcome };
	}
	return failed;
}

/** The session visited last, because this terminal keeps the focus if the other one is shown elsewhere. */
let last: string | undefined;

/** Brings the terminal of the next waiting session to the front. Pressing the key again, here or there, leads to the one after it. */
export async function goToNextWaiting({ ui, sessionManager }: ExtensionContext): Promise<void> {
	const here = { sessionId: sessionManager.getSessionId(), own: ownLeases };
	const waiting = liveLeases(getAgentDir(), Date.now()).filter((lease) => needsUserElsewhere(lease, here));
	const from = last ?? [...ownLeases][0] ?? "";
	const went = await goToFirst(inTurn(waiting, from), (lease) => wayTo(lease).go());
	if (went?.lease) last = went.lease.instance;
	if (!went) ui.notify("sessions: no other session is waiting for you.");
	else ui.notify(`sessions: ${went.outcome.message}`, went.outcome.ok ? "info" : "warning");
}
