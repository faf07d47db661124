import type { Presence, Step } from "./types.ts";
import { draft, wanted } from "./when-to-show.ts";

/** Number of milliseconds after a keystroke during which the user counts as typing. */
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
