import type { Effect, Presence, Step } from "./types.ts";

/** Whether a recap of the settled state may be shown: automatic recaps are on, and it was not shown before. */
export function wanted(state: Presence): state is Presence & { stamp: string } {
	return state.limits.auto && !state.isWorking && state.stamp !== undefined && state.stamp !== state.shown;
}

/** Requests a draft of this state, unless there is one. */
export function draft(state: Presence): Step {
	if (!wanted(state) || state.drafted.has(state.stamp)) return { state, effects: [] };
	const drafted = new Set([...state.drafted, state.stamp]);
	return { state: { ...state, drafted }, effects: [{ type: "draft", stamp: state.stamp }] };
}

/**
 * Starts the idle timer if there is a recap to show. This is also done with focus reports, because a user can walk away from a terminal
 * that keeps the focus.
 */
export function idleTimer(state: Presence): Effect[] {
	return wanted(state) ? [{ type: "arm", timer: "idle", ms: state.limits.idleMs }] : [];
}

/** After a keystroke, the user counts as typing for this many milliseconds. */
export const TYPING_MS = 2_000;

/** Shows the recap, or waits for a pause if the user is typing. */
export function reveal(state: Presence, now: number): Step {
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

/** Stops waiting for a typing pause. */
export function release(state: Presence): Step {
	if (!state.withheld) return { state, effects: [] };
	return { state: { ...state, withheld: false }, effects: [{ type: "disarm", timer: "pause" }] };
}
