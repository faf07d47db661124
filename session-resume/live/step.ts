import type { RunOutcome } from "../../session-core/pi/index.ts";
import { COUNTED_STATES, type LeaseState } from "../../session-core/sessions/index.ts";

export interface Live {
	state: LeaseState;
	isRunning: boolean;
	unseen?: "done" | "failed" | undefined;
	/** `isAsked` is true if the agent has asked a question that the user has not answered yet. */
	isAsked: boolean;
}

export type LiveEvent =
	| { type: "run_started" }
	| { type: "dialog"; isOpen: boolean; title?: string | undefined }
	| { type: "settled"; outcome: RunOutcome; isSeen: boolean; isAsked: boolean }
	| { type: "noted"; isAsked: boolean }
	| { type: "seen" }
	| { type: "unseen"; outcome: RunOutcome };

export const UNOPENED: Live = { state: "idle", isRunning: false, isAsked: false };

export function stepLive(live: Live, event: LiveEvent): Live {
	switch (event.type) {
		case "run_started":
			return { state: "working", isRunning: true, isAsked: false };
		case "dialog":
			// A dialog that appears outside a run was opened by the user, so it does not change the session's state.
			return live.isRunning ? { ...live, state: event.isOpen ? "waiting" : "working" } : live;
		case "settled": {
			const { outcome, isSeen, isAsked } = event;
			const unseen = isSeen || outcome === "aborted" ? undefined : outcome;
			return atRest({ ...live, isRunning: false, unseen, isAsked: isAsked && outcome === "done" });
		}
		case "unseen":
			return live.isRunning || event.outcome === "aborted"
				? live
				: atRest({ ...live, unseen: event.outcome });
		case "noted":
			return live.isRunning ? live : atRest({ ...live, isAsked: event.isAsked });
		case "seen":
			return live.unseen === undefined ? live : atRest({ ...live, unseen: undefined });
	}
}

/**
 * A `finished` or `failed` session becomes idle when the user looks at it. A question is cleared only
 * by an answer.
 */
function atRest(live: Live): Live {
	if (live.isAsked) return { ...live, state: "waiting" };
	return { ...live, state: live.unseen === "done" ? "finished" : (live.unseen ?? "idle") };
}

export function bellOn(event: LiveEvent, before: Live, now: Live): "announce" | "cancel" | undefined {
	if (event.type === "run_started") return "cancel";
	if (event.type !== "dialog") return undefined;
	if (isNews(before, now)) return "announce";
	return event.isOpen ? undefined : "cancel";
}

/**
 * Users are notified only when a working session changes its state, because they already know the state of
 * a session that they open.
 */
export function isNews(before: Live, now: Live): boolean {
	return before.state === "working" && COUNTED_STATES.includes(now.state);
}

/**
 * Mouse events, focus reports and responses to pi's queries also arrive as terminal input, but they are not
 * keys.
 */
export function isKey(data: string): boolean {
	return !/^\x1b(?:[\]P_^]|\[[?<>MIO]|\[\d+(?:;\d+)*[Rnty])/.test(data);
}
