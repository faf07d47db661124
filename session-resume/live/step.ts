import type { RunOutcome } from "../../session-core/host/host-events.ts";
import type { LeaseState } from "../../session-core/live/lease-files.ts";

/** The state in this process's lease, and whether a run is active. */
export interface Live {
	state: LeaseState;
	isRunning: boolean;
}

/** How the last run ended, according to the log. */
export type Found = "needs_you" | "idle" | "failed";

export type LiveEvent =
	| { type: "run_started" }
	/** A dialog of another extension was opened and is waiting for the user (`isOpen`), or was answered. */
	| { type: "dialog"; isOpen: boolean }
	/** A run ended. If the outcome is `done`, the end of the conversation is read, which causes a `looked` event. */
	| { type: "settled"; outcome: RunOutcome }
	| { type: "looked"; found: Found };

/** The state of a session that this process is about to open. */
export const UNOPENED: Live = { state: "idle", isRunning: false };

/** Advances the state of the lease by one event. Pure. */
export function step(live: Live, event: LiveEvent): Live {
	switch (event.type) {
		case "run_started":
			return { state: "working", isRunning: true };
		case "dialog":
			// If no run is active, the user opened the dialog, so the state does not change.
			return live.isRunning ? { ...live, state: event.isOpen ? "needs_you" : "working" } : live;
		case "settled": {
			const states = { done: live.state, failed: "failed", aborted: "idle" } as const;
			return { state: states[event.outcome], isRunning: false };
		}
		case "looked":
			return live.isRunning ? live : { ...live, state: event.found };
	}
}

/**
 * Whether the user should be notified. Only a change from working to waiting counts, because users who open a waiting session know that it
 * is waiting.
 */
export function isNews(before: Live, now: Live): boolean {
	return before.state === "working" && now.state === "needs_you";
}
