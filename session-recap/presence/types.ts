/** Time thresholds in milliseconds, and switches for the automatic triggers. */
export interface Limits {
	awayMs: number;
	focusMinMs: number;
	idleMs: number;
	/** Whether focus reports are used. Without them, recaps appear only after the idle time. */
	focus: boolean;
	/** Whether recaps appear automatically, and not only after a typed command. */
	auto: boolean;
}

/** A timer of the state machine. `pause` runs while a recap waits for the user to stop typing. */
export type Timer = "away" | "idle" | "pause";

/** An event. `stamp` is the id of the last message, or undefined if the conversation is too short for a recap. */
export type PresenceEvent =
	/** `claimed`: another extension shows the state of the session and uses the draft. */
	| {
			type: "session_start";
			stamp: string | undefined;
			reopened: boolean;
			claimed: boolean;
	  }
	| { type: "session_end" }
	| { type: "limits"; limits: Limits }
	/** The user left. `reported`: true if the terminal reported the loss of focus, false if pi handed the terminal to another program. */
	| { type: "away"; reported: boolean }
	| { type: "back"; reported: boolean }
	| { type: "key" }
	/** The user sent a prompt, ran a shell command or jumped to another point in the session tree. */
	| { type: "submit" }
	| { type: "run_start" }
	/** The run has ended and no message is queued. */
	| { type: "settled" }
	/** The result of `inspect`. It never arrives during a run. */
	| { type: "inspected"; stamp: string | undefined }
	| { type: "timer"; timer: Timer }
	/** Another extension already shows this state of the conversation. */
	| { type: "covered"; stamp: string }
	/** A recap was shown because the user requested it. */
	| { type: "shown"; stamp: string };

export type Effect =
	| { type: "arm"; timer: Timer; ms: number }
	| { type: "disarm"; timer: Timer }
	/** Reads the conversation and dispatches `inspected`, unless a run is active. */
	| { type: "inspect" }
	/** Prepare a recap of this state without showing it, with at most one model call. */
	| { type: "draft"; stamp: string }
	/** Show the recap of this state. */
	| { type: "reveal"; stamp: string }
	/** Remove the recap from the screen and abort a request in progress. */
	| { type: "clear" };

/**
 * What a return led to. `shown`: a recap. No recap: `off`: automatic recaps are off; `working`: the agent was working; `too_little`: too
 * little happened since the last prompt; `seen`: the recap of this state was shown before; `brief`: the absence was short.
 */
export type ReturnOutcome = "shown" | "off" | "working" | "too_little" | "seen" | "brief";

export interface Presence {
	limits: Limits;
	/** Whether a run has started and its result has not been inspected yet. */
	isWorking: boolean;
	/** The settled state for which a recap can be shown. */
	stamp: string | undefined;
	/** Every state for which a recap was drafted, so that jumping back in the session tree does not cause a second model call. */
	drafted: ReadonlySet<string>;
	/** The newest state whose recap was shown. */
	shown: string | undefined;
	/** When the user left, in ms; undefined if the user is present or the time is unknown. */
	awaySince: number | undefined;
	/** Whether the terminal has reported its focus at least once. */
	focusSeen: boolean;
	/** Whether the agent finished a run during this absence. */
	finishedAway: boolean;
	/** Whether the user came back during a run, so that the recap is due when the run ends. */
	owed: boolean;
	/** Whether a recap was due while the user was typing. The recap is shown when the user pauses or next returns to the terminal. */
	withheld: boolean;
	/** The time of the last keystroke in ms; minus infinity if there was none. */
	lastKeyAt: number;
	/** When the last run ended, in ms; minus infinity if there was none. */
	settledAt: number;
	/** When the user last returned, in ms, and what came of it; undefined if the user was never away. */
	lastReturn: { at: number; outcome: ReturnOutcome } | undefined;
	/** Whether the conversation may have changed without a run. If so, it must be inspected before it is used. */
	stale: boolean;
	over: boolean;
}

export interface Step {
	state: Presence;
	effects: Effect[];
}
