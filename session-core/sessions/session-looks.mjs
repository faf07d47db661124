// @ts-check
/**
 * How sessions look in a list: the symbols, colors and words of their states, and the note beside each. The board, the shell, the server and
 * the page in the browser share this module. The module is therefore plain JavaScript and imports only modules that a browser can load.
 */
import { letters } from "../text/fold-case.mjs";
import { isOverMinute, shortAge } from "../text/short-age.mjs";

/** @import { SessionRecord } from "../recap/record.ts" */
/** @import { LeaseState } from "./live/lease-files.ts" */
/** @import { Listed } from "./session-list.mjs" */

/**
 * A color as a role in the host's theme. Each interface maps the roles to its own colors.
 * @typedef {"warning" | "error" | "accent" | "success" | "dim" | "plain"} StateColor
 */

/**
 * `glyph`: the symbol. Symbols differ in shape, because color must not be the only difference. `words`: the state in words. A filter accepts
 * the first word, which is the state's name.
 * @typedef {{ glyph: string, color: Exclude<StateColor, "plain">, words: string }} StateLook
 */

/**
 * How a state looks, in order of urgency. `waiting`: a dialog is open, or the agent's question or request is unanswered. `finished`: the run
 * has ended, and the user has not looked at the session since. `page.css` has the page's colors.
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
 * The look of a closed session with an unanswered question or request.
 * @type {StateLook}
 */
export const ASKED_LOOK = { glyph: "◇", color: "warning", words: "closed, waiting for you" };

/** The mark of a session whose file is in a working tree or in the current folder, so a repository could have written it. */
export const PLANTED_MARK = "stored in the repository";
/** Marks a live session that has changed a file that another live session has changed, too. */
export const OVERLAPPING = "⚠";

/**
 * Returns how a session looks in a list. A closed session is also marked if it asked something or failed.
 * @param {Pick<Listed, "state" | "waits" | "ending">} session
 */
export function lookOf({ state, waits, ending }) {
	if (state !== "closed") return STATE_LOOKS[state];
	if (waits) return ASKED_LOOK;
	return ending?.outcome === "error" ? STATE_LOOKS.failed : STATE_LOOKS.closed;
}

/**
 * Returns the words for a live session's state, and its duration, which is empty during the first minute.
 * @param {{ state: LeaseState, since: number }} live
 * @param {number} now
 * @returns {[words: string, age: string]}
 */
export function stateParts({ state, since }, now) {
	const { words } = STATE_LOOKS[state];
	return isOverMinute(since, now) ? [`${words} for `, shortAge(since, now)] : [words, ""];
}

/**
 * Returns a live session's state, with its duration unless the state has just begun: `working for 2m`.
 * @param {{ state: LeaseState, since: number }} live
 * @param {number} now
 */
export function describeState(live, now) {
	return stateParts(live, now).join("");
}

/**
 * The states whose sessions the footer counts, because they require the user's action or attention.
 * @type {readonly LeaseState[]}
 */
export const COUNTED_STATES = ["waiting", "failed", "finished"];

/**
 * The color of a session's outcome. Only finished work is dim.
 * @type {Readonly<Record<SessionRecord["outcome"], StateColor>>}
 */
export const OUTCOME_COLORS = {
	waiting: STATE_LOOKS.waiting.color,
	error: STATE_LOOKS.failed.color,
	aborted: "plain",
	running: "plain",
	done: "dim",
};

/**
 * The note beside a session in a list. `kind`: `next` for a question or next step, and `state` for everything else.
 * @typedef {{ kind: "next" | "state", text: string, color: StateColor }} RowNote
 */

/**
 * Returns the note beside a session in a list; undefined if it is closed and its work is done. `next`: its question or next step. `ended`: how
 * its last run ended, in words.
 * @param {Pick<Listed, "state" | "waits" | "ending"> & { title: string, doing?: string | null | undefined, dialog?: string | null | undefined }} session
 * @param {{ next?: string | null | undefined, ended?: string | null | undefined }} texts
 * @returns {RowNote | undefined}
 */
export function rowNote({ title, state, waits, ending, doing, dialog }, { next, ended }) {
	const isClosed = state === "closed";
	const { words } = STATE_LOOKS[state];
	/** @type {(text: string, color: StateColor) => RowNote} */
	const stated = (text, color) => ({ kind: "state", text, color });
	const end = ended ? stated(ended, OUTCOME_COLORS[ending?.outcome ?? "aborted"]) : undefined;
	if (state === "waiting" || (waits && isClosed)) {
		const { color, words } = STATE_LOOKS.waiting;
		// If a dialog is open, the session waits for an answer to the dialog, not for the next step.
		if (waits && next) return { kind: "next", text: next, color };
		return stated(dialog ?? ((isClosed && ended) || words), color);
	}
	if (ending?.outcome === "error") return end;
	// An interrupted request is often used as the title as well.
	if (next && !letters(next).startsWith(letters(title)))
		return { kind: "next", text: next, color: ended || !isClosed ? "plain" : "dim" };
	return isClosed ? end : stated(doing ?? words, "dim");
}
