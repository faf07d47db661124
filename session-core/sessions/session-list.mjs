// @ts-check
/**
 * The list of sessions: its order, its filter, what it folds, and how states look. The board, the shell, the server and the page in the
 * browser share this module. The module is therefore plain JavaScript and imports only modules that a browser can load.
 */
import { foldCase, letters } from "../text/fold-case.mjs";
import { isOverMinute, shortAge } from "../text/short-age.mjs";

/** @import { SessionRecord } from "../recap/record.ts" */
/** @import { LeaseState } from "./live/lease-files.ts" */

/**
 * What the list needs to know about a session. Times are in milliseconds.
 * @typedef {object} Listed
 * @property {LeaseState | "closed"} state
 * @property {boolean} waits Whether a question or request is unanswered.
 * @property {number | undefined} waitingSince
 * @property {{ outcome: SessionRecord["outcome"] } | undefined} ending
 * @property {number} modified
 * @property {string} path
 * @property {string} id
 * @property {string} fileId
 * @property {{ name: string }} format
 * @property {string | undefined} branch
 * @property {string} searched See {@link searchedText}.
 */

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

/**
 * The states that a filter accepts. `live`: not closed.
 * @typedef {LeaseState | "closed" | "live"} ListedState
 */

/** @type {readonly ListedState[]} */
export const LISTED_STATES = ["waiting", "failed", "finished", "working", "idle", "closed", "live"];

/**
 * Whether a session is listed under a state's name. A closed session is also listed as `waiting` if a question is unanswered, and any
 * session as `failed` if its last run failed.
 * @param {Pick<Listed, "state" | "waits" | "ending">} session
 * @param {ListedState} name
 */
export function isInState({ state, waits, ending }, name) {
	if (name === "live") return state !== "closed";
	if (name === "waiting" && state === "closed") return waits;
	return state === name || (name === "failed" && ending?.outcome === "error");
}

const BY_URGENCY = Object.keys(STATE_LOOKS);

/**
 * Compares two sessions by urgency. Sessions that need the user come first, longest wait first, and closed sessions come last.
 * @param {Pick<Listed, "state" | "waitingSince">} one
 * @param {Pick<Listed, "state" | "waitingSince">} other
 */
export function byUrgency(one, other) {
	const ranks = BY_URGENCY.indexOf(one.state) - BY_URGENCY.indexOf(other.state);
	return ranks !== 0 || one.state !== "waiting" ? ranks : (one.waitingSince ?? 0) - (other.waitingSince ?? 0);
}

/**
 * Compares two sessions: the newest comes first. The paths decide between equal times, so that every list has the same order.
 * @param {Pick<Listed, "modified" | "path">} one
 * @param {Pick<Listed, "modified" | "path">} other
 */
export function byNewest(one, other) {
	return other.modified - one.modified || compareText(one.path, other.path);
}

/**
 * Compares two sessions for a list in the usual order: by urgency, then newest first.
 * @param {Pick<Listed, "state" | "waitingSince" | "modified" | "path">} one
 * @param {Pick<Listed, "state" | "waitingSince" | "modified" | "path">} other
 */
export function inUsualOrder(one, other) {
	return byUrgency(one, other) || byNewest(one, other);
}

/**
 * @param {string} one
 * @param {string} other
 */
export function compareText(one, other) {
	if (one === other) return 0;
	return one < other ? -1 : 1;
}

/**
 * Whether a session has no user or was started by another session. Background sessions are not offered to users.
 * @param {{ kind: string }} session
 */
export function isBackground({ kind }) {
	return kind === "headless" || kind === "child";
}

/**
 * Sessions that are folded into one line: those in the background, and those that the user has archived.
 * @typedef {"background" | "archived"} FoldKind
 */

/**
 * Returns how a session is folded; undefined if it is not. An archived session is not folded while it is live, and a background session is
 * not folded while a person has it open.
 * @param {{ state: string, kind: string, interactive: boolean }} session
 * @param {boolean} [isArchived]
 * @returns {FoldKind | undefined}
 */
export function foldOf({ state, kind, interactive }, isArchived = false) {
	if (isArchived && state === "closed") return "archived";
	return isBackground({ kind }) && !interactive ? "background" : undefined;
}

/**
 * Returns the folded text that a filter searches. The text does not contain the id, because a word must match the beginning of the id.
 * @param {{
 * title: string | undefined, prompt: string | undefined, recap: Pick<SessionRecord, "headline" | "bullets" | "next_actions"> | undefined,
 * project: string, }} session
 */
export function searchedText({ title, prompt, recap, project }) {
	const recorded = recap ? [recap.headline, ...recap.bullets, ...recap.next_actions] : [];
	return foldCase(
		[title ?? "", prompt, ...recorded, project].filter((text) => text !== undefined).join("\n"),
	);
}

/**
 * Returns the id in a file's name, which follows the time at which the session began: `2026-01-31T12-00-00-000Z_<id>.jsonl`.
 * @param {string} path
 */
export function fileIdOf(path) {
	const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
	return name.replace(/^\d{4}-\d\d-\d\d[T_][\d-]+Z?_|\.jsonl$/g, "").toLowerCase();
}

/**
 * A filter as it was typed. `text`: the filter without its conditions, which are not searched for in messages. `words`: its words and
 * phrases, folded; all must match.
 * @typedef {{ text: string, words: readonly string[], conditions: readonly ((session: Listed) => boolean)[] }} Filter
 */

/**
 * Parses a filter. `"…"` keeps words together, as in the host's picker. `branch:`, `is:` and `agent:` state conditions.
 * @param {string} query
 * @returns {Filter}
 */
export function readFilter(query) {
	const conditions = [];
	const texts = [];
	for (const token of tokensOf(query)) {
		const condition = conditionOf(token);
		if (condition) conditions.push(condition);
		else texts.push(token);
	}
	const text = texts.join(" ");
	const words = tokensOf(foldCase(text)).map((token) => token.replaceAll('"', "").trim());
	return { text, words: words.filter(Boolean), conditions };
}

/**
 * Returns why an `is:` in a filter is ordinary text instead of a condition; undefined if there is no such `is:`.
 * @param {string} query
 */
export function unknownState(query) {
	const token = tokensOf(query).find((one) => /^is:/i.test(one) && !conditionOf(one));
	return token && `${token} is not a state. States: ${LISTED_STATES.join(", ")}.`;
}

/**
 * Returns the parts of a filter: words, and phrases with their quotation marks.
 * @param {string} query
 * @returns {string[]}
 */
function tokensOf(query) {
	return query.match(/"[^"]+(?:"|$)|[^\s"]\S*/g) ?? [];
}

/**
 * Parses a part of a filter as a condition. Returns undefined if the part is ordinary text. The first letters of a state or an agent are
 * enough, and an empty value matches everything, so that the list does not become empty while the user is typing the condition.
 * @param {string} token
 * @returns {((session: Listed) => boolean) | undefined}
 */
function conditionOf(token) {
	const [, key = "", text = ""] = /^(branch|is|agent):(.*)$/i.exec(token) ?? [];
	const value = foldCase(text);
	switch (key.toLowerCase()) {
		case "branch":
			return ({ branch }) => foldCase(branch ?? "").includes(value);
		case "agent":
			return ({ format }) => format.name.startsWith(value);
		case "is": {
			const named = LISTED_STATES.filter((state) => state.startsWith(value));
			return named.length === 0 ? undefined : (session) => named.some((state) => isInState(session, state));
		}
		default:
			return undefined;
	}
}

/**
 * Whether a session meets the conditions of a filter.
 * @param {Listed} session
 * @param {Filter} filter
 */
export function meets(session, { conditions }) {
	return conditions.every((isMet) => isMet(session));
}

/**
 * Whether a word occurs in a session's text, or its id begins with the word.
 * @param {Pick<Listed, "searched" | "id" | "fileId">} session
 * @param {string} word
 */
export function hasWord({ searched, id, fileId }, word) {
	return searched.includes(word) || id.toLowerCase().startsWith(word) || fileId.startsWith(word);
}

/**
 * Whether a session matches a filter.
 * @param {Listed} session
 * @param {Filter} filter
 */
export function matches(session, filter) {
	return meets(session, filter) && filter.words.every((word) => hasWord(session, word));
}

/**
 * How well a session matches. Lower values are better, and the tier is compared before the score. Tier 0: in the title. 1: in other text, or
 * at the beginning of the id. 2: only as a fuzzy match in the title.
 * @template Row
 * @typedef {{ row: Row, tier: number, score: number }} Match
 */

/**
 * Returns the sessions that match a filter, best first. Equally good matches keep their order. `fuzzy` returns the score of a word that
 * does not occur in a session but resembles its text, or undefined if it does not.
 * @template {Listed & { foldedTitle: string }} Row
 * @param {readonly Row[]} rows
 * @param {Filter} filter
 * @param {(word: string, row: Row) => number | undefined} [fuzzy]
 * @returns {readonly Row[]}
 */
export function filtered(rows, filter, fuzzy = () => undefined) {
	const kept = rows.filter((row) => meets(row, filter));
	if (filter.words.length === 0) return kept;
	return kept
		.flatMap((row) => matchOf(row, filter.words, fuzzy) ?? [])
		.sort((one, other) => one.tier - other.tier || one.score - other.score)
		.map(({ row }) => row);
}

/**
 * @template {Listed & { foldedTitle: string }} Row
 * @param {Row} row
 * @param {readonly string[]} words
 * @param {(word: string, row: Row) => number | undefined} fuzzy
 * @returns {Match<Row> | undefined}
 */
function matchOf(row, words, fuzzy) {
	let tier = 0;
	let score = 0;
	for (const word of words) {
		if (row.foldedTitle.includes(word)) continue;
		if (hasWord(row, word)) {
			tier = Math.max(tier, 1);
			continue;
		}
		const distance = fuzzy(word, row);
		if (distance === undefined) return undefined;
		tier = 2;
		score += distance;
	}
	return { row, tier, score };
}
