import { settleDelay } from "../../session-core/run-watch.ts";
import { draft, idleTimer, reveal } from "./reveal.ts";
import type { Presence, PresenceEvent, Step } from "./types.ts";

/** A run ended; whether it is settled shows a little later. */
export function ended(state: Presence, failed: boolean): Step {
	const failures = failed ? state.failures + 1 : 0;
	return {
		state: { ...state, run: "ended", failures },
		effects: [{ type: "arm", timer: "settle", ms: settleDelay(failures) }],
	};
}

/** The conversation was looked at and nothing is running. */
export function settled(
	state: Presence,
	event: Extract<PresenceEvent, { type: "inspected" }>,
	now: number,
): Step {
	const finished = state.run !== "settled";
	const failures = finished ? 0 : state.failures;
	const next: Presence = { ...state, run: "settled", stamp: event.stamp, stale: false, failures };
	if (!finished || event.stamp === undefined) return { state: { ...next, owed: false }, effects: [] };
	if (next.awaySince !== undefined) return finishedWhileAway(next, now - next.awaySince);
	if (next.owed) return reveal({ ...next, owed: false }, now);
	return { state: next, effects: idleTimer(next) };
}

function finishedWhileAway(state: Presence, absence: number): Step {
	const next: Presence = { ...state, finishedAway: true };
	const early = next.limits.focusMinMs - absence;
	// A glance away that ends before the minimum must not cost a call.
	if (early > 0 && next.limits.auto)
		return { state: next, effects: [{ type: "arm", timer: "away", ms: early }] };
	return draft(next);
}
