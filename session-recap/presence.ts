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
	| { type: "covered"; stamp: string }
	| { type: "shown"; stamp: string };

export type Effect =
	| { type: "arm"; timer: Timer; ms: number }
	| { type: "disarm"; timer: Timer }
	/** Reads the conversation and dispatches `inspected`, unless a run is active. */
	| { type: "inspect" }
	/** Prepare a recap of this state without showing it, with at most one model call. */
	| { type: "draft"; stamp: string }
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
	shown: string | undefined;
	/** When the user left, in ms; undefined if the user is present or the time is unknown. */
	awaySince: number | undefined;
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

interface PresenceStep {
	state: Presence;
	effects: Effect[];
}

/** Whether a recap of the settled state may be shown: automatic recaps are on, and this recap has not been shown yet. */
export function wanted(state: Presence): state is Presence & { stamp: string } {
	return state.limits.auto && !state.isWorking && state.stamp !== undefined && state.stamp !== state.shown;
}

/** Requests a draft of this state, unless there is one. */
export function draft(state: Presence): PresenceStep {
	if (!wanted(state) || state.drafted.has(state.stamp)) return { state, effects: [] };
	const drafted = new Set([...state.drafted, state.stamp]);
	return { state: { ...state, drafted }, effects: [{ type: "draft", stamp: state.stamp }] };
}

/**
 * Starts the idle timer if there is a recap to show. The timer is used even if the terminal reports focus, because a user can walk away
 * from a terminal that keeps the focus.
 */
export function idleTimer(state: Presence): Effect[] {
	return wanted(state) ? [{ type: "arm", timer: "idle", ms: state.limits.idleMs }] : [];
}

/** Number of milliseconds after a keystroke during which the user counts as typing. */
export const TYPING_MS = 2_000;

/** Shows the recap, or waits for a pause if the user is typing. */
export function reveal(state: Presence, now: number): PresenceStep {
	const before = release(state);
	if (!wanted(state)) return before;
	const typingFor = TYPING_MS - (now - state.lastKeyAt);
	if (typingFor > 0) {
		return {
			state: { ...state, withheld: true },
			effects: [{ type: "arm", timer: "pause", ms: typingFor }],
		};
	}
	const drafted = draft(before.state);
	return {
		state: { ...drafted.state, shown: state.stamp },
		effects: [...before.effects, ...drafted.effects, { type: "reveal", stamp: state.stamp }],
	};
}

export function release(state: Presence): PresenceStep {
	if (!state.withheld) return { state, effects: [] };
	return { state: { ...state, withheld: false }, effects: [{ type: "disarm", timer: "pause" }] };
}

/** Returns the initial presence state of a session: no focus report has arrived, and no timer is set. */
export function startPresence(limits: Limits): Presence {
	return {
		limits,
		isWorking: false,
		stamp: undefined,
		drafted: new Set(),
		shown: undefined,
		awaySince: undefined,
		focusSeen: false,
		finishedAway: false,
		owed: false,
		withheld: false,
		lastKeyAt: Number.NEGATIVE_INFINITY,
		settledAt: Number.NEGATIVE_INFINITY,
		lastReturn: undefined,
		// After a reload, the session already has messages that have not been inspected yet.
		stale: true,
		over: false,
	};
}

/** Advances the presence state by one event. This is a pure function: actions are returned as effects. `now` is in milliseconds. */
export function advance(state: Presence, event: PresenceEvent, now: number): PresenceStep {
	if (state.over) return { state, effects: [] };
	switch (event.type) {
		case "session_start":
			return started(state, event, now);
		case "session_end":
			return { state: { ...state, over: true }, effects: [...DISARM_SHOWING, { type: "clear" }] };
		case "limits":
			return limited(state, event.limits);
		case "away":
			return left(state, event.reported, now);
		case "back":
			return returned(state, event, now);
		case "key":
			return typed(state, now);
		case "submit":
			return {
				state: { ...state, owed: false, withheld: false, stale: true },
				effects: [...DISARM_SHOWING, { type: "clear" }],
			};
		case "run_start":
			return {
				state: {
					...state,
					isWorking: true,
					stamp: undefined,
					finishedAway: false,
					withheld: false,
					stale: false,
				},
				effects: [...DISARM_SHOWING, { type: "clear" }],
			};
		case "settled":
			return { state, effects: [{ type: "inspect" }] };
		case "inspected":
			return inspected(state, event.stamp, now);
		case "timer":
			return fired(state, event.timer, now);
		case "covered":
			return release({ ...state, shown: event.stamp });
		case "shown":
			return release({
				...state,
				shown: event.stamp,
				drafted: new Set([...state.drafted, event.stamp]),
			});
	}
}

/** Stops every timer that can show a recap. */
const DISARM_SHOWING: readonly Effect[] = [
	{ type: "disarm", timer: "away" },
	{ type: "disarm", timer: "idle" },
	{ type: "disarm", timer: "pause" },
];

function started(
	state: Presence,
	event: Extract<PresenceEvent, { type: "session_start" }>,
	now: number,
): PresenceStep {
	if (!event.reopened) return { state, effects: [] };
	const next = { ...state, stamp: event.stamp, stale: false };
	if (!event.claimed) return reveal(next, now);
	// The extension that claimed the session may never show the recap, so this state does not count as shown.
	const drafted = draft({ ...next, shown: undefined });
	return { state: { ...drafted.state, shown: next.shown }, effects: drafted.effects };
}

function limited(state: Presence, limits: Limits): PresenceStep {
	const next = { ...state, limits };
	if (limits.auto) return { state: next, effects: [] };
	return {
		state: { ...next, owed: false, withheld: false },
		effects: [...DISARM_SHOWING, { type: "clear" }],
	};
}

/** Handles the result of an inspection. Inspections take place only while no run is active. */
function inspected(state: Presence, stamp: string | undefined, now: number): PresenceStep {
	const settledAt = state.isWorking ? now : state.settledAt;
	const next: Presence = { ...state, isWorking: false, stamp, stale: false, settledAt };
	if (stamp === undefined) return { state: { ...next, owed: false }, effects: [] };
	if (!state.isWorking) return inspectedOnLeaving({ ...next, owed: false }, now);
	if (next.awaySince !== undefined) return finishedWhileAway(next, now - next.awaySince);
	if (next.owed) return reveal({ ...next, owed: false }, now);
	return { state: next, effects: idleTimer(next) };
}

/**
 * The away timer may have fired before the code for the first inspection was loaded. In that case, the draft that was due is requested now.
 */
function inspectedOnLeaving(state: Presence, now: number): PresenceStep {
	const isDue = state.awaySince !== undefined && now - state.awaySince >= state.limits.awayMs;
	return isDue ? draft(state) : { state, effects: [] };
}

function finishedWhileAway(state: Presence, absence: number): PresenceStep {
	const next: Presence = { ...state, finishedAway: true };
	const early = next.limits.focusMinMs - absence;
	// An absence shorter than the minimum must not cause a model call.
	if (early > 0 && next.limits.auto)
		return { state: next, effects: [{ type: "arm", timer: "away", ms: early }] };
	return draft(next);
}

function left(state: Presence, reported: boolean, now: number): PresenceStep {
	const focusSeen = state.focusSeen || reported;
	if (state.awaySince !== undefined) return { state: { ...state, focusSeen }, effects: [] };
	const next: Presence = { ...state, focusSeen, awaySince: now, finishedAway: false, owed: false };
	const effects: Effect[] = [{ type: "disarm", timer: "idle" }];
	// A recap that was waiting for a typing pause now waits for the user's return.
	if (next.withheld) effects.push({ type: "disarm", timer: "pause" });
	if (next.stale && !next.isWorking) effects.push({ type: "inspect" });
	if (next.limits.auto) effects.push({ type: "arm", timer: "away", ms: next.limits.awayMs });
	return { state: next, effects };
}

/** Whether a keystroke after this pause means that the user was away: the terminal kept the focus, or does not report it. */
export function isReturn({ lastKeyAt, settledAt, limits }: Presence, now: number): boolean {
	return now - Math.max(lastKeyAt, settledAt) >= Math.max(limits.idleMs, TYPING_MS);
}

/**
 * Handles a keystroke. The idle timer shows the recap before the user returns, but not if the machine was asleep. In that case, the first
 * keystroke counts as a return, and the recap appears at the next pause.
 */
function typed(state: Presence, now: number): PresenceStep {
	const next = { ...state, lastKeyAt: now };
	if (state.awaySince !== undefined || state.settledAt < 0 || !isReturn(state, now))
		return { state: next, effects: [] };
	const lastReturn = { at: now, outcome: outcomeOf(state, true) };
	return state.isWorking
		? { state: { ...next, lastReturn }, effects: [] }
		: reveal({ ...next, lastReturn }, now);
}

function outcomeOf(state: Presence, isDue: boolean): ReturnOutcome {
	if (!state.limits.auto) return "off";
	if (state.isWorking) return "working";
	if (state.stamp === undefined) return "too_little";
	if (!wanted(state)) return "seen";
	return isDue ? "shown" : "brief";
}

function returned(
	state: Presence,
	event: Extract<PresenceEvent, { type: "back" }>,
	now: number,
): PresenceStep {
	const focusSeen = state.focusSeen || event.reported;
	if (state.awaySince === undefined) return { state: { ...state, focusSeen }, effects: [] };
	const absence = now - state.awaySince;
	const disarm: Effect = { type: "disarm", timer: "away" };
	const long = absence >= state.limits.awayMs;
	const finished = state.finishedAway && absence >= state.limits.focusMinMs;
	// The draft has already been paid for, so it is shown even after a short absence.
	const isPaid = state.stamp !== undefined && state.drafted.has(state.stamp);
	const isDue = long || finished || isPaid || state.withheld;
	const lastReturn = { at: now, outcome: outcomeOf(state, isDue) };
	const present: Presence = { ...state, focusSeen, awaySince: undefined, finishedAway: false, lastReturn };
	if (state.isWorking) return { state: { ...present, owed: long }, effects: [disarm] };
	if (isDue) {
		const shown = reveal(present, now);
		return { state: shown.state, effects: [disarm, ...shown.effects] };
	}
	return { state: present, effects: [disarm, ...idleTimer(present)] };
}

function fired(state: Presence, timer: Timer, now: number): PresenceStep {
	switch (timer) {
		case "away":
			return state.awaySince === undefined ? { state, effects: [] } : draft(state);
		case "pause":
			return state.withheld && state.awaySince === undefined ? reveal(state, now) : { state, effects: [] };
		case "idle": {
			if (state.awaySince !== undefined || !wanted(state)) return { state, effects: [] };
			const quietFor = now - state.lastKeyAt;
			const { idleMs } = state.limits;
			if (quietFor >= idleMs) return reveal(state, now);
			return { state, effects: [{ type: "arm", timer: "idle", ms: idleMs - quietFor }] };
		}
	}
}
