import type { RunOutcome } from "../../session-core/host/lifecycle.ts";
import type { LeaseState } from "../../session-core/live/lease.ts";

/** What the lease of this process says, and what it takes to decide that. */
export interface Live {
	state: LeaseState;
	isRunning: boolean;
}

export type LiveEvent =
	/** `past`: the conversation has begun. `working`: a prompt from the command line is at work already. */
	| { type: "opened"; past: boolean; working: boolean }
	| { type: "run_started" }
	/** A dialog of another extension waits for the user (`isOpen`), or was answered. */
	| { type: "dialog"; isOpen: boolean }
	| { type: "settled"; outcome: RunOutcome }
	/** What the edge found when it was asked to `look`. */
	| { type: "looked"; found: Found };

/** How the last run ended, by the log. */
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

/** Advances what the lease says by one event. Pure: writes and looks go out as effects. */
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
			// Without a run, the user asked for the dialog, and is there.
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

/** Whoever opens a session that waits is there; only what began to wait while it ran is news. */
function enter(live: Live, state: LeaseState): LiveStep {
	const isNews = live.state === "working" && state === "needs_you";
	return {
		state: { ...live, state },
		effects: [{ type: "write", state }, ...(isNews ? [{ type: "notify" } as const] : [])],
	};
}
