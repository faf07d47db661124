/** Thresholds in milliseconds, and which of the automatic ways are on. */
export interface Limits {
	awayMs: number;
	focusMinMs: number;
	idleMs: number;
	/** Focus reports are used; false leaves the idle way as the only one. */
	focus: boolean;
	/** Recaps come by themselves; false leaves only what the user types. */
	auto: boolean;
}

/** `pause`: the user was typing when a recap was due; it ends when they may have stopped. */
export type Timer = "away" | "idle" | "pause";

/** `stamp` is the id of the last message of a state of the conversation that is worth a recap; undefined: it is not. */
export type PresenceEvent =
	/** `claimed`: another surface shows where the session stands, and gets the draft. */
	| {
			type: "session_start";
			stamp: string | undefined;
			reopened: boolean;
			claimed: boolean;
	  }
	| { type: "session_end" }
	| { type: "limits"; limits: Limits }
	/** `reported`: by the terminal; otherwise pi gave the terminal to somebody else. */
	| { type: "away"; reported: boolean }
	| { type: "back"; reported: boolean }
	| { type: "key" }
	/** The user acted: a prompt, a shell command, a jump in the tree. */
	| { type: "submit" }
	| { type: "run_start" }
	/** The run is over and nothing follows it. */
	| { type: "settled" }
	/** What the edge found when it was asked to `inspect`, and no agent was at work. */
	| { type: "inspected"; stamp: string | undefined }
	| { type: "timer"; timer: Timer }
	/** Another surface shows this state. */
	| { type: "covered"; stamp: string }
	/** A recap was put on screen because the user asked for it. */
	| { type: "shown"; stamp: string };

export type Effect =
	| { type: "arm"; timer: Timer; ms: number }
	| { type: "disarm"; timer: Timer }
	/** Look at the conversation and answer with `inspected`, unless the agent is at work. */
	| { type: "inspect" }
	/** Prepare a recap of this state out of sight; at most one model call. */
	| { type: "draft"; stamp: string }
	/** Put the recap of this state on screen. */
	| { type: "reveal"; stamp: string }
	/** Take the recap off the screen and abort a request in flight. */
	| { type: "clear" };

export interface Presence {
	limits: Limits;
	/** A run has begun, and what it came to was not looked at yet. */
	isWorking: boolean;
	/** The settled state that is worth a recap. */
	stamp: string | undefined;
	/** Every state for which a draft was asked: a jump back in the tree must not cost a second call. */
	drafted: ReadonlySet<string>;
	/** Newest state whose recap was on screen. */
	shown: string | undefined;
	/** When the user left, in ms; undefined: present, or unknown. */
	awaySince: number | undefined;
	/** The terminal has reported focus at least once. */
	focusSeen: boolean;
	/** The agent finished something during this absence. */
	finishedAway: boolean;
	/** The user came back while the agent was still at it. */
	owed: boolean;
	/** A recap was due while the user was typing: it is shown when they pause, or at the next return. */
	withheld: boolean;
	/** In ms; minus infinity: no key was pressed yet. */
	lastKeyAt: number;
	/** The conversation may have moved without a run, so it is looked at before it is used. */
	stale: boolean;
	over: boolean;
}

export interface Step {
	state: Presence;
	effects: Effect[];
}
