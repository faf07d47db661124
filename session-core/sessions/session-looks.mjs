// @ts-check
/**
 * The board, the shell, the server and the web page share this module, so it is plain JavaScript and
 * imports only modules that a browser can load.
 * @import { SessionRecord } from "../recap/record.ts"
 * @import { LeaseState } from "./live/liveness.mjs"
 */
import { letters } from "../text/fold-case.mjs";
import { isOverMinute, shortAge } from "../text/short-age.mjs";

/**
 * Colors are named by their roles in pi's theme. Each interface maps these roles to its own colors.
 * @typedef {"warning" | "error" | "accent" | "success" | "dim" | "plain"} StateColor
 */

/**
 * The symbols (`glyph`) differ in shape, because some users cannot distinguish the colors.
 * @typedef {{ glyph: string, color: Exclude<StateColor, "plain">, words: string }} StateLook
 */

/**
 * `waits` is true if the agent's question or request is unanswered.
 * @typedef {{ state: LeaseState | "closed", waits: boolean, ending: { outcome: SessionRecord["outcome"] }
 * | undefined }} StateFacts
 */

/**
 * The states in order of urgency. `waiting` means that a dialog is open or that the agent's question is
 * unanswered. `finished` means that the user has not looked at the session since its run ended.
 * @type {Readonly<Record<LeaseState | "closed", StateLook>>}
 */
export const STATE_LOOKS = {
	waiting: { glyph: "◆", color: "warning", words: "waiting for you" },
	failed: { glyph: "✗", color: "error", words: "failed" },
	finished: { glyph: "■", color: "accent", words: "finished" },
	working: { glyph: "●", color: "success", words: "working" },
	idle: { glyph: "○", color: "dim", words: "idle" },
	closed: { glyph: " ", color: "dim", words: "closed" },
};

/**
 * @type {StateLook}
 */
export const ASKED_LOOK = { glyph: "◇", color: "warning", words: "closed, waiting for you" };

/**
 * Marks a session that may come from a repository, because its file is in a working tree or in the current
 * folder.
 */
export const PLANTED_MARK = "stored in the repository";
/** Marks a live session if another live session has changed the same file. */
export const OVERLAPPING = "⚠";

/**
 * `title` is the title of the other session, or undefined if the title is unknown.
 * @param {{ path: string, time: string, title: string | undefined }} overlap
 */
export function overlapLine({ path, time, title }) {
	const other = title === undefined ? "another session" : `“${title}”`;
	return `${OVERLAPPING} ${path}: also changed at ${time} in ${other}`;
}

/**
 * Returns the symbol, color and words for a session's state.
 * @param {StateFacts} session
 */
export function lookOf({ state, waits, ending }) {
	if (state !== "closed") return STATE_LOOKS[state];
	if (waits) return ASKED_LOOK;
	return ending?.outcome === "error" ? STATE_LOOKS.failed : STATE_LOOKS.closed;
}

/**
 * Returns a description such as `working for ` and an age such as `2m`. During the first minute, the age is
 * empty.
 * @param {{ state: LeaseState, since: number }} live
 * @param {number} now
 * @returns {[words: string, age: string]}
 */
export function stateParts({ state, since }, now) {
	const { words } = STATE_LOOKS[state];
	return isOverMinute(since, now) ? [`${words} for `, shortAge(since, now)] : [words, ""];
}

/**
 * Returns text such as `working for 2m`. The duration is omitted during the first minute.
 * @param {{ state: LeaseState, since: number }} live
 * @param {number} now
 */
export function describeState(live, now) {
	return stateParts(live, now).join("");
}

/**
 * @type {readonly LeaseState[]}
 */
export const COUNTED_STATES = ["waiting", "failed", "finished"];

/**
 * Maps the outcome of a session's last run to a color.
 * @type {Readonly<Record<SessionRecord["outcome"], StateColor>>}
 */
export const OUTCOME_COLORS = {
	waiting: STATE_LOOKS.waiting.color,
	error: STATE_LOOKS.failed.color,
	aborted: "plain",
	running: "plain",
	done: "dim",
};

/** @typedef {{ kind: "next" | "state", text: string, color: StateColor }} RowNote */

/**
 * Returns the note to show in a session's row, or undefined if the session is closed and its work is
 * done. `next` is the session's question or next step, and `ended` describes how the last run ended.
 * @param {StateFacts & { title: string, doing?: string | null |
 * undefined, dialog?: string | null | undefined }} session
 * @param {{ next?: string | null | undefined, ended?: string | null | undefined }} texts
 * @returns {RowNote | undefined}
 */
export function rowNote({ title, state, waits, ending, doing, dialog }, { next, ended }) {
	const isClosed = state === "closed";
	const { words } = STATE_LOOKS[state];
	const stated = (/** @type {string} */ text, /** @type {StateColor} */ color) => ({
		kind: /** @type {const} */ ("state"),
		text,
		color,
	});
	const end = ended ? stated(ended, OUTCOME_COLORS[ending?.outcome ?? "aborted"]) : undefined;
	if (state === "waiting" || (waits && isClosed)) {
		const { color, words } = STATE_LOOKS.waiting;
		if (waits && next) return { kind: "next", text: next, color };
		return stated(dialog ?? ((isClosed && ended) || words), color);
	}
	if (ending?.outcome === "error") return end;
	if (next && !letters(next).startsWith(letters(title)))
		return { kind: "next", text: next, color: ended || !isClosed ? "plain" : "dim" };
	return isClosed ? end : stated(doing ?? words, "dim");
}
