import { isOverMinute, shortAge } from "../recap/age.ts";
import type { SessionRecord } from "../recap/record.ts";
import type { LeaseState } from "./live/lease-files.ts";

/** A color as a role in the host's theme. Each interface maps the roles to its own colors. */
export type StateColor = "warning" | "error" | "accent" | "success" | "dim" | "plain";

interface StateLook {
	/** The symbol. Symbols differ in shape, because color must not be the only difference. */
	glyph: string;
	color: Exclude<StateColor, "plain">;
	/** The state in words. A filter accepts the first word, which is the state's name. */
	words: string;
}

/**
 * How a state looks on the card, on the board and in the shell, in order of urgency. `waiting`: a dialog is open, or the agent's question
 * or request is unanswered. `finished`: the run has ended, and the user has not looked at the session since. `page/list.js` and `page.css`
 * have the same symbols and colors.
 */
export const STATE_LOOKS: Readonly<Record<LeaseState | "closed", StateLook>> = {
	waiting: { glyph: "◆", color: "warning", words: "waiting for you" },
	failed: { glyph: "✗", color: "error", words: "failed" },
	finished: { glyph: "■", color: "accent", words: "finished" },
	working: { glyph: "●", color: "success", words: "working" },
	idle: { glyph: "○", color: "dim", words: "idle" },
	closed: { glyph: " ", color: "dim", words: "closed" },
};

/** Returns a live session's state, with its duration unless the state has just begun: `working for 2m`. */
export function describeState({ state, since }: { state: LeaseState; since: number }, now: number): string {
	const text = STATE_LOOKS[state].words;
	return isOverMinute(since, now) ? `${text} for ${shortAge(since, now)}` : text;
}

/** The look of a closed session with an unanswered question or request. */
export const ASKED_LOOK: StateLook = { glyph: "◇", color: "warning", words: "closed, waiting for you" };

/** The states whose sessions the footer counts, because they require the user's action or attention. */
export const COUNTED_STATES: readonly LeaseState[] = ["waiting", "failed", "finished"];

/** The states that a filter accepts. `live`: not closed. */
export type ListedState = LeaseState | "closed" | "live";
export const LISTED_STATES: readonly ListedState[] = [
	"waiting",
	"failed",
	"finished",
	"working",
	"idle",
	"closed",
	"live",
];

/** Whether a session is listed under a state's name. A closed session is also listed by its unanswered question or its failure. */
export function isInState(
	{
		state,
		waits,
		ending,
	}: { state: LeaseState | "closed"; waits: boolean; ending?: { outcome: string } | undefined },
	name: ListedState,
): boolean {
	if (name === "live") return state !== "closed";
	if (name === "waiting" && state === "closed") return waits;
	return state === name || (name === "failed" && ending?.outcome === "error");
}

const BY_URGENCY = Object.keys(STATE_LOOKS);

interface Since {
	state: keyof typeof STATE_LOOKS;
	/** When the session began to wait for the user, in milliseconds since the epoch. */
	waitingSince: number | undefined;
}

/**
 * Compares two sessions for a list: those that need the user come first, and closed ones last. Among those that are waiting for the user,
 * the one that has waited longest comes first.
 */
export function byUrgency(one: Since, other: Since): number {
	const ranks = BY_URGENCY.indexOf(one.state) - BY_URGENCY.indexOf(other.state);
	return ranks !== 0 || one.state !== "waiting" ? ranks : (one.waitingSince ?? 0) - (other.waitingSince ?? 0);
}

/** The color of a session's outcome. Only finished work is dim. */
export const OUTCOME_COLORS: Readonly<Record<SessionRecord["outcome"], StateColor>> = {
	waiting: STATE_LOOKS.waiting.color,
	error: STATE_LOOKS.failed.color,
	aborted: "plain",
	running: "plain",
	done: "dim",
};
