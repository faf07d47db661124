import type { Effect, Presence, Step } from "./types.ts";

/** A recap is wanted for the settled state: automatic ones are on, and it was not on screen yet. */
export function wanted(state: Presence): state is Presence & { stamp: string } {
	return state.limits.auto && !state.isWorking && state.stamp !== undefined && state.stamp !== state.shown;
}

/** Ask for a draft unless this state of the conversation has had its one. */
export function draft(state: Presence): Step {
	if (!wanted(state) || state.drafted.has(state.stamp)) return { state, effects: [] };
	const drafted = new Set([...state.drafted, state.stamp]);
	return { state: { ...state, drafted }, effects: [{ type: "draft", stamp: state.stamp }] };
}

/**
 * The idle time begins, if there is something to show at its end. Beside focus reports, too: who walks away from a
 * terminal that keeps the focus finds the recap.
 */
export function idleTimer(state: Presence): Effect[] {
	return wanted(state) ? [{ type: "arm", timer: "idle", ms: state.limits.idleMs }] : [];
}

/** Time without a keystroke after which nobody is typing, in ms. Text that only stands in the editor is no typing. */
export const TYPING_MS = 2_000;

/** Show the recap; while the user is typing, as soon as they pause. */
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

/** Nothing waits for a pause any more. */
export function release(state: Presence): Step {
	if (!state.withheld) return { state, effects: [] };
	return { state: { ...state, withheld: false }, effects: [{ type: "disarm", timer: "pause" }] };
}
