import { settleDelay } from "../../session-core/run-watch.ts";
import type { Found, Live, LiveEffect, LiveEvent, LiveStep } from "./types.ts";

/** A session that this process is about to open. */
export const UNOPENED: Live = { state: "idle", running: false, failures: 0 };

/** Advance what the lease says by one event. Pure: timers and writes go out as effects. */
export function step(live: Live, event: LiveEvent): LiveStep {
	switch (event.type) {
		case "opened":
			return opened(live, event);
		case "run_start":
			return { state: { ...live, running: true, state: "working" }, effects: [DISARM, write("working")] };
		case "run_end":
			return ended(live, event.failed);
		case "run_settled":
			return { state: live, effects: [DISARM, ...look(live)] };
		case "timer":
			return { state: live, effects: look(live) };
		case "looked":
			if (live.running) return { state: live, effects: [] };
			if (event.busy) return { state: live, effects: [{ type: "arm", ms: settleDelay(0) }] };
			return {
				state: { ...live, failures: 0, state: event.found },
				effects: [write(event.found), ...notice(live, event.found)],
			};
	}
}

function opened(live: Live, { past, working }: Extract<LiveEvent, { type: "opened" }>): LiveStep {
	if (working) return { state: { ...live, running: true, state: "working" }, effects: [write("working")] };
	return { state: live, effects: past ? [write("idle"), { type: "look" }] : [write("idle")] };
}

/** A failure that the host is about to retry is not an end: until the next try would have begun, it still works. */
function ended(live: Live, failed: boolean): LiveStep {
	const failures = failed ? live.failures + 1 : 0;
	return {
		state: { ...live, running: false, failures },
		effects: [{ type: "arm", ms: settleDelay(failures) }],
	};
}

function look(live: Live): LiveEffect[] {
	return live.running ? [] : [{ type: "look" }];
}

/** Who opens a session that waits is there; only what came to wait while it ran is news. */
function notice(live: Live, found: Found): LiveEffect[] {
	return live.state === "working" && found === "needs_you" ? [{ type: "notify" }] : [];
}

function write(state: Live["state"]): LiveEffect {
	return { type: "write", state };
}

const DISARM: LiveEffect = { type: "disarm" };
