import type { Effect, Limits, Presence, PresenceEvent, ReturnOutcome, Step, Timer } from "./types.ts";
import { release, reveal, TYPING_MS } from "./typing-pause.ts";
import { draft, idleTimer, wanted } from "./when-to-show.ts";

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
export function step(state: Presence, event: PresenceEvent, now: number): Step {
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
): Step {
	if (!event.reopened) return { state, effects: [] };
	const next = { ...state, stamp: event.stamp, stale: false };
	if (!event.claimed) return reveal(next, now);
	// The extension that claimed the session may never show the recap, so this state does not count as shown.
	const drafted = draft({ ...next, shown: undefined });
	return { state: { ...drafted.state, shown: next.shown }, effects: drafted.effects };
}

function limited(state: Presence, limits: Limits): Step {
	const next = { ...state, limits };
	if (limits.auto) return { state: next, effects: [] };
	return {
		state: { ...next, owed: false, withheld: false },
		effects: [...DISARM_SHOWING, { type: "clear" }],
	};
}

/** Handles the result of an inspection. Inspections take place only while no run is active. */
function inspected(state: Presence, stamp: string | undefined, now: number): Step {
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
function inspectedOnLeaving(state: Presence, now: number): Step {
	const isDue = state.awaySince !== undefined && now - state.awaySince >= state.limits.awayMs;
	return isDue ? draft(state) : { state, effects: [] };
}

function finishedWhileAway(state: Presence, absence: number): Step {
	const next: Presence = { ...state, finishedAway: true };
	const early = next.limits.focusMinMs - absence;
	// An absence shorter than the minimum must not cause a model call.
	if (early > 0 && next.limits.auto)
		return { state: next, effects: [{ type: "arm", timer: "away", ms: early }] };
	return draft(next);
}

function left(state: Presence, reported: boolean, now: number): Step {
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
function typed(state: Presence, now: number): Step {
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

function returned(state: Presence, event: Extract<PresenceEvent, { type: "back" }>, now: number): Step {
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

function fired(state: Presence, timer: Timer, now: number): Step {
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
