import type { Presence, Step } from "./types.ts";

/** A recap is wanted for the settled state: automatic ones are on, and it was not on screen yet. */
export function wanted(state: Presence): state is Presence & { stamp: string } {
	return (
		state.limits.auto && state.run === "settled" && state.stamp !== undefined && state.stamp !== state.shown
	);
}

/** Ask for a draft unless this state of the conversation has had its one. */
export function draft(state: Presence): Step {
	if (!wanted(state) || state.drafted.has(state.stamp)) return { state, effects: [] };
	const drafted = new Set([...state.drafted, state.stamp]);
	return { state: { ...state, drafted }, effects: [{ type: "draft", stamp: state.stamp }] };
}

/** Show the recap, unless something is typed: the next return gets it then. */
export function reveal(state: Presence, typed: boolean): Step {
	if (typed || !wanted(state)) return { state, effects: [] };
	const drafted = draft(state);
	return {
		state: { ...drafted.state, shown: state.stamp },
		effects: [...drafted.effects, { type: "reveal", stamp: state.stamp }],
	};
}
