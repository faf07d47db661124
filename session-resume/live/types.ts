import type { LeaseState } from "../../session-core/store/lease.ts";

/** What the lease of this process says, and what it takes to decide that. */
export interface Live {
	state: LeaseState;
	/** Between a run's start and its end. */
	running: boolean;
	/** Failed run ends in a row: the host retries them by itself, with growing pauses. */
	failures: number;
}

export type LiveEvent =
	/** `past`: something was said in it before. `working`: a prompt from the command line is at work already. */
	| { type: "opened"; past: boolean; working: boolean }
	| { type: "run_start" }
	| { type: "run_end"; failed: boolean }
	/** The host says itself that the run is over (0.86 and later). */
	| { type: "run_settled" }
	| { type: "timer" }
	/** What the edge found when it was asked to `look`. */
	| { type: "looked"; busy: boolean; found: Found };

/** How the last run ended, as the log shows it. */
export type Found = "needs_you" | "idle" | "failed";

export type LiveEffect =
	| { type: "write"; state: LeaseState }
	| { type: "arm"; ms: number }
	| { type: "disarm" }
	/** Look at the end of the conversation and answer with `looked`. */
	| { type: "look" }
	/** A run ended in a question to the user. */
	| { type: "notify" };

export interface LiveStep {
	state: Live;
	effects: LiveEffect[];
}
