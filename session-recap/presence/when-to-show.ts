import type { Effect, Presence, Step } from "./types.ts";

/** Whether a recap of the settled state may be shown: automatic recaps are on, and this recap has not been shown yet. */
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
 * Starts the idle timer if there is a recap to show. The timer is used even if the terminal reports focus, because a user can walk away
 * from a terminal that keeps the focus.
 */
export function idleTimer(state: Presence): Effect[] {
	return wanted(state) ? [{ type: "arm", timer: "idle", ms: state.limits.idleMs }] : [];
}
