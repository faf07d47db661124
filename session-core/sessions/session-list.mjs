// @ts-check
/**
 * The list of sessions: its order, its filter, and what it folds. The board, the shell, the server and the page in the browser share this
 * module. The module is therefore plain JavaScript and imports only modules that a browser can load.
 */
import { foldCase } from "../text/fold-case.mjs";
import { STATE_LOOKS } from "./session-looks.mjs";

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
 * Compares two sessions by some of their properties.
 * @template {keyof Listed} Key
 * @typedef {(one: Pick<Listed, Key>, other: Pick<Listed, Key>) => number} Compare
 */

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
 * Sessions that need the user come first, longest wait first, and closed sessions come last.
 * @type {Compare<"state" | "waitingSince">}
 */
export const byUrgency = (one, other) => {
	const ranks = BY_URGENCY.indexOf(one.state) - BY_URGENCY.indexOf(other.state);
	return ranks !== 0 || one.state !== "waiting" ? ranks : (one.waitingSince ?? 0) - (other.waitingSince ?? 0);
};

/**
 * The newest session comes first. The paths decide between equal times, so that every list has the same order.
 * @type {Compare<"modified" | "path">}
 */
export const byNewest = (one, other) => other.modified - one.modified || compareText(one.path, other.path);

/** @type {Compare<"state" | "waitingSince" | "modified" | "path">} */
export const inUsualOrder = (one, other) => byUrgency(one, other) || byNewest(one, other);

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
 * What a filter accepts, as examples with their meanings.
 * @type {readonly (readonly [example: string, meaning: string])[]}
 */
export const FILTER_SYNTAX = [
	["a b", "every word matches"],
	['"a b"', "the words in this order"],
	["0195a1b2", "the start of an id"],
	["branch:fix", "a part of the branch's name"],
	["is:waiting", "a state: waiting, failed, finished, working, idle, closed or live"],
	["agent:codex", "the sessions of an agent"],
];

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

/** The agents that a filter accepts. A test compares them with the formats of session files. */
export const LISTED_AGENTS = ["pi", "claude-code", "codex", "qwen-code"];

/**
 * Returns why an `is:` or `agent:` in a filter matches nothing; undefined if there is no such condition.
 * @param {string} query
 */
export function filterProblem(query) {
	for (const token of tokensOf(query)) {
		const [, key = "", value = ""] = /^(is|agent):(.*)$/i.exec(token) ?? [];
		const isState = key.toLowerCase() === "is";
		const known = isState ? LISTED_STATES : LISTED_AGENTS;
		if (key === "" || known.some((name) => name.startsWith(foldCase(value)))) continue;
		const what = isState ? "a state. States" : "an agent. Agents";
		return `${token} is not ${what}: ${known.join(", ")}.`;
	}
	return undefined;
}

/**
 * Returns the words of a filter, and its phrases with their quotation marks.
 * @param {string} query
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
function hasWord({ searched, id, fileId }, word) {
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
 * Returns the sessions that match a filter, best first: those with the words in their title, those with the words in other text or with an id
 * that begins with the words, and those whose title only resembles the words. Equally good matches keep their order. `fuzzy` returns the
 * distance between a word that does not occur in a session and the session's title, or undefined if they do not resemble each other.
 * @template {Listed & { foldedTitle: string }} Row
 * @param {readonly Row[]} rows
 * @param {Filter} filter
 * @param {(word: string, row: Row) => number | undefined} [fuzzy]
 * @returns {readonly Row[]}
 */
export function filtered(rows, filter, fuzzy = () => undefined) {
	const kept = rows.filter((row) => meets(row, filter));
	if (filter.words.length === 0) return kept;
	const found = kept.flatMap((row) => {
		let tier = 0;
		let score = 0;
		for (const word of filter.words) {
			if (row.foldedTitle.includes(word)) continue;
			const isExact = hasWord(row, word);
			const distance = isExact ? 0 : fuzzy(word, row);
			if (distance === undefined) return [];
			tier = Math.max(tier, isExact ? 1 : 2);
			score += distance;
		}
		return [{ row, tier, score }];
	});
	return found.sort((one, other) => one.tier - other.tier || one.score - other.score).map(({ row }) => row);
}
