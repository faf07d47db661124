import type { RunOutcome } from "../../session-core/host/lifecycle.ts";
import type { LeaseState } from "../../session-core/live/lease.ts";

/** The state in this process's lease, and the facts that determine it. */
export interface Live {
	state: LeaseState;
	isRunning: boolean;
}

export type LiveEvent =
	/** `past`: the session has messages. `working`: a prompt from the command line is in flight. */
	| { type: "opened"; past: boolean; working: boolean }
	| { type: "run_started" }
	/** A dialog of another extension waits for the user (`isOpen`), or was answered. */
	| { type: "dialog"; isOpen: boolean }
	| { type: "settled"; outcome: RunOutcome }
	/** The result of `look`. */
	| { type: "looked"; found: Found };

/** How the last run ended, according to the log. */
export type Found = "needs_you" | "idle" | "failed";

export type LiveEffect =
	| { type: "write"; state: LeaseState }
	/** Look at the end of the conversation and answer with `looked`. */
	| { type: "look" }
	/** The session has begun to wait for its user. */
	| { type: "notify" };

export interface LiveStep {
	state: Live;
	effects: LiveEffect[];
}

/** A session that this process is about to open. */
export const UNOPENED: Live = { state: "idle", isRunning: false };

/** Advances the state of the lease by one event. Pure: writes and reads are returned as effects. */
export function step(live: Live, event: LiveEvent): LiveStep {
	switch (event.type) {
		case "opened": {
			if (event.working) return enter({ ...live, isRunning: true }, "working");
			const opened = enter(live, "idle");
			return event.past ? { ...opened, effects: [...opened.effects, { type: "look" }] } : opened;
		}
		case "run_started":
			return enter({ ...live, isRunning: true }, "working");
		case "dialog":
			// If no run is active, the user has opened the dialog.
			if (!live.isRunning) return { state: live, effects: [] };
			return enter(live, event.isOpen ? "needs_you" : "working");
		case "settled": {
			const ended = { ...live, isRunning: false };
			if (event.outcome === "done") return { state: ended, effects: [{ type: "look" }] };
			return enter(ended, event.outcome === "failed" ? "failed" : "idle");
		}
		case "looked":
			return live.isRunning ? { state: live, effects: [] } : enter(live, event.found);
	}
}

/** The user who opens a waiting session knows that it waits; they are notified only of a run that ends in a question. */
function enter(live: Live, state: LeaseState): LiveStep {
	const isNews = live.state === "working" && state === "needs_you";
	return {
		state: { ...live, state },
		effects: [{ type: "write", state }, ...(isNews ? [{ type: "notify" } as const] : [])],
	};
}
