// @ts-check
/**
 * The board, the shell, the server and the web page share this module, so it is plain JavaScript and
 * imports only modules that a browser can load.
 * @import { SessionRecord } from "../recap/record.ts"
 * @import { LeaseState } from "./live/liveness.mjs"
 * @import { StateFacts } from "./session-looks.mjs"
 */
import { foldCase } from "../text/fold-case.mjs";
import { STATE_LOOKS } from "./session-looks.mjs";

/**
 * Times are in milliseconds since the epoch. `searched` is the text that {@link searchedText} returns.
 * @typedef {StateFacts & { waitingSince: number | undefined, modified: number, path: string, id: string,
 * fileId: string, format: { name: string }, branch: string | undefined, searched: string }} Listed
 */

/**
 * Compares two sessions by the given fields.
 * @template {keyof Listed} Key
 * @typedef {(one: Pick<Listed, Key>, other: Pick<Listed, Key>) => number} Compare
 */

/**
 * `live` means any state except `closed`.
 * @typedef {LeaseState | "closed" | "live"} ListedState
 */

/** @type {readonly ListedState[]} */
export const LISTED_STATES = ["waiting", "failed", "finished", "working", "idle", "closed", "live"];

/**
 * Returns true if a list of sessions in the given state includes the session. A closed session with an
 * unanswered question belongs to `waiting`, and any session whose last run failed belongs to `failed`.
 * @param {StateFacts} session
 * @param {ListedState} name
 */
export function isInState({ state, waits, ending }, name) {
	if (name === "live") return state !== "closed";
	if (name === "waiting" && state === "closed") return waits;
	return state === name || (name === "failed" && ending?.outcome === "error");
}

const BY_URGENCY = Object.keys(STATE_LOOKS);

/**
 * Among the sessions that are waiting for the user, the one that has waited longest comes first.
 * @type {Compare<"state" | "waitingSince">}
 */
export const byUrgency = (one, other) => {
	const ranks = BY_URGENCY.indexOf(one.state) - BY_URGENCY.indexOf(other.state);
	return ranks !== 0 || one.state !== "waiting" ? ranks : (one.waitingSince ?? 0) - (other.waitingSince ?? 0);
};

/**
 * If two times are equal, the paths are compared, so that the order is the same in all lists.
 * @type {Compare<"modified" | "path">}
 */
export const byNewest = (one, other) => other.modified - one.modified || compareText(one.path, other.path);

/**
 * The default order of sessions: first by urgency, then by age.
 * @type {Compare<"state" | "waitingSince" | "modified" | "path">}
 */
export const inUsualOrder = (one, other) => byUrgency(one, other) || byNewest(one, other);

/**
 * Compares strings by UTF-16 code units.
 * @param {string} one
 * @param {string} other
 */
export function compareText(one, other) {
	if (one === other) return 0;
	return one < other ? -1 : 1;
}

/**
 * Returns true if the session is headless or was started by another session.
 * @param {{ kind: string }} session
 */
export function isBackground({ kind }) {
	return kind === "headless" || kind === "child";
}

/**
 * The state of a live process takes precedence over the outcome that the session file shows.
 * @template {Pick<Listed, "waits" | "modified" | "ending"> & { next: unknown }} Row
 * @param {Row} row
 * @param {{ state: Listed["state"], since: number }} now
 */
export function withState(row, { state, since }) {
	const isRunning = state === "working";
	const waitingSince = row.waits ? row.modified : since;
	const isOver = isRunning || row.ending?.outcome === "running";
	return {
		...row,
		state,
		waits: !isRunning && row.waits,
		waitingSince: state === "waiting" ? waitingSince : undefined,
		next: isRunning ? undefined : row.next,
		ending: isOver ? undefined : row.ending,
	};
}

/**
 * The list shows all background sessions as one line, and all archived sessions as another line.
 * @typedef {"background" | "archived"} FoldKind
 */

/**
 * Returns how a list groups the session, or undefined if the session has its own line. An archived
 * session has its own line while it is live.
 * @param {{ state: string, kind: string, interactive: boolean }} session
 * @param {boolean} [isArchived]
 * @returns {FoldKind | undefined}
 */
export function foldOf({ state, kind, interactive }, isArchived = false) {
	if (isArchived && state === "closed") return "archived";
	return isBackground({ kind }) && !interactive ? "background" : undefined;
}

/**
 * Returns the text that a filter searches. Ids are not included, because a filter must match the
 * beginning of an id.
 * @param {{ title: string | undefined, prompt: string | undefined, recap: Pick<SessionRecord,
 * "headline" | "bullets" | "next_actions"> | undefined, project: string, }} session
 */
export function searchedText({ title, prompt, recap, project }) {
	const recorded = recap ? [recap.headline, ...recap.bullets, ...recap.next_actions] : [];
	return foldCase(
		[title ?? "", prompt, ...recorded, project].filter((text) => text !== undefined).join("\n"),
	);
}

/**
 * Returns the id in a file name such as `2026-01-31T12-00-00-000Z_<id>.jsonl`.
 * @param {string} path
 */
export function fileIdOf(path) {
	const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
	return name.replace(/^\d{4}-\d\d-\d\d[T_][\d-]+Z?_|\.jsonl$/g, "").toLowerCase();
}

/**
 * `text` is the typed filter without conditions such as `is:failed`. `words` contains the case-folded
 * words and phrases of that text, all of which must match.
 * @typedef {{ text: string, words: readonly string[], conditions: readonly ((session: Listed) =>
 * boolean)[] }} Filter
 */

/**
 * Examples of filters, with their meanings.
 * @type {readonly (readonly [example: string, meaning: string])[]}
 */
export const FILTER_SYNTAX = [
	["a b", "both words, in any order"],
	['"a b"', "the words in exactly this order"],
	["0195a1b2", "the start of an id"],
	["branch:fix", "part of the name of the git branch"],
	["is:waiting", "a state: waiting, failed, finished, working, idle, closed or live"],
	["agent:codex", "one agent's sessions"],
];

/**
 * Parses a filter query. Quotation marks enclose a phrase. `branch:`, `is:` and `agent:` introduce
 * conditions.
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

export const LISTED_AGENTS = ["pi", "claude-code", "codex", "qwen-code"];

/**
 * Returns an error message if the filter names an unknown state or agent, as in `is:foo`.
 * @param {string} query
 */
export function filterProblem(query) {
	for (const token of tokensOf(query)) {
		const [, key = "", value = ""] = /^(is|agent):(.*)$/i.exec(token) ?? [];
		const isState = key.toLowerCase() === "is";
		const known = isState ? LISTED_STATES : LISTED_AGENTS;
		if (key === "" || known.some((name) => name.startsWith(foldCase(value)))) continue;
		const [one, all] = isState ? ["state", "States"] : ["agent", "Agents"];
		return `There is no ${one} "${value}". ${all}: ${known.join(", ")}.`;
	}
	return undefined;
}

/**
 * Splits a filter into words, conditions and phrases. Phrases keep their quotation marks.
 * @param {string} query
 */
function tokensOf(query) {
	return query.match(/"[^"]+(?:"|$)|[^\s"]\S*/g) ?? [];
}

/**
 * Parses a condition such as `is:waiting` or its abbreviation `is:wait`. Returns undefined for ordinary
 * text. A condition without a value, such as `is:`, matches all sessions, because the user may still be
 * typing.
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
 * Returns true if the session meets all conditions of the filter.
 * @param {Listed} session
 * @param {Filter} filter
 */
export function meets(session, { conditions }) {
	return conditions.every((isMet) => isMet(session));
}

/**
 * Returns true if the word matches the session's text or ids.
 * @param {Pick<Listed, "searched" | "id" | "fileId">} session
 * @param {string} word
 */
function hasWord({ searched, id, fileId }, word) {
	return searched.includes(word) || id.toLowerCase().startsWith(word) || fileId.startsWith(word);
}

/**
 * Returns true if the session meets all conditions and contains all words of the filter.
 * @param {Listed} session
 * @param {Filter} filter
 */
export function matches(session, filter) {
	return meets(session, filter) && filter.words.every((word) => hasWord(session, word));
}

/**
 * Sessions whose title contains all words of the filter come first.
 * @template {Listed & { foldedTitle: string }} Row
 * @param {readonly Row[]} rows
 * @param {Filter} filter
 * @returns {readonly Row[]}
 */
export function filtered(rows, filter) {
	const kept = rows.filter((row) => matches(row, filter));
	if (filter.words.length === 0) return kept;
	/** @param {Row} row */
	const isInTitle = ({ foldedTitle }) => filter.words.every((word) => foldedTitle.includes(word));
	return [...kept.filter(isInTitle), ...kept.filter((row) => !isInTitle(row))];
}
