import { Script } from "node:vm";
import { formatCondition } from "../../session-core/log/format.ts";
import { fuzzyMatch } from "../../session-core/pi/host/index.ts";
import { isInState, LISTED_STATES } from "../../session-core/sessions/state-looks.ts";
import { hasWord } from "../../session-core/sessions/view.ts";
import { foldCase } from "../../session-core/text/index.ts";
import type { Row } from "./row.ts";

/** Matches the prefix of a filter that is a regular expression, as in the host's picker. */
const PATTERN = /^\s*re:/i;

/** The rows that match, best first. `problem`: the filter's regular expression is invalid or takes too long. */
export interface Filtered {
	rows: readonly Row[];
	problem?: "invalid";
}

/** Filters rows. Equally good matches keep their order. An empty filter matches all rows. */
export function filtered(rows: readonly Row[], query: string): Filtered {
	if (isPattern(query)) return byPattern(rows, query);
	const words = wordsOf(query);
	const kept = meeting(rows, query);
	if (words.length === 0) return { rows: kept };
	const matches = kept.flatMap((row) => matchOf(row, words) ?? []);
	return { rows: bestFirst(matches) };
}

/** Returns the rows that match the branch, the state and the agent in the filter. */
export function meeting(rows: readonly Row[], query: string): readonly Row[] {
	const conditions = tokensOf(query).flatMap((token) => conditionOf(token) ?? []);
	return rows.filter((row) => conditions.every((isMet) => isMet(row)));
}

/** Returns the words of a filter, all of which must match. `"…"` keeps words together, as in the host's picker. */
export function wordsOf(query: string): string[] {
	if (isPattern(query)) return [query.trim()];
	return tokensOf(foldCase(searchText(query)))
		.map((token) => token.replaceAll('"', "").trim())
		.filter(Boolean);
}

/** Returns the filter without its conditions, which are not searched for in messages. */
export function searchText(query: string): string {
	return tokensOf(query)
		.filter((token) => !conditionOf(token))
		.join(" ");
}

/** Returns the parts of a filter: words, and phrases with their quotation marks. */
function tokensOf(query: string): string[] {
	return query.match(/"[^"]+(?:"|$)|[^\s"]\S*/g) ?? [];
}

type Condition = (row: Row) => boolean;

/**
 * Parses a part of a filter as a condition. Returns undefined if the part is ordinary text. The first letters of a state are enough, and an
 * empty value matches everything, so that the list does not become empty while the user is typing the condition.
 */
function conditionOf(token: string): Condition | undefined {
	const [, key = "", text = ""] = /^(branch|is):(.*)$/i.exec(token) ?? [];
	const value = foldCase(text);
	switch (key.toLowerCase()) {
		case "branch":
			return ({ branch }) => foldCase(branch ?? "").includes(value);
		case "is": {
			const named = LISTED_STATES.filter((state) => state.startsWith(value));
			return named.length === 0 ? undefined : (row) => named.some((state) => isInState(row, state));
		}
	}
	return formatCondition(foldCase(token));
}

export function isPattern(query: string): boolean {
	return PATTERN.test(query);
}

/** How well a row matches. Lower values are better. The tier is compared before the score. */
interface Match {
	row: Row;
	/**
	 * The tier. 0: in the title. 1: in other text, or at the beginning of the id. 2: only as a fuzzy match in the title (letters in order).
	 */
	tier: number;
	score: number;
}

/** Sorts rows. The sort is stable, so equally good rows keep the order of the list. */
function bestFirst(matches: readonly Match[]): Row[] {
	return matches
		.toSorted((one, other) => one.tier - other.tier || one.score - other.score)
		.map(({ row }) => row);
}

/**
 * Returns how well a row matches. A fuzzy match (`prsfix`) counts only in titles and only if its letters are close together, because it
 * would match nearly everything in other text.
 */
function matchOf(row: Row, words: readonly string[]): Match | undefined {
	let tier = 0;
	let score = 0;
	for (const word of words) {
		if (row.foldedTitle.includes(word)) continue;
		if (hasWord(row, word)) {
			tier = Math.max(tier, 1);
			continue;
		}
		const letters = closeLetters(word, row.foldedTitle);
		if (letters === undefined) return undefined;
		tier = 2;
		score += letters;
	}
	return { row, tier, score };
}

/** Returns the score of a fuzzy match in a title; undefined unless the letters occur in the title in order and close together. */
function closeLetters(word: string, title: string): number | undefined {
	// In writing systems without spaces, words have only one or two letters, so finding the letters in order is not a meaningful match.
	if (word.length < 2 || /[^\x21-\x7e]/.test(word)) return undefined;
	const { matches, score } = fuzzyMatch(word, title);
	return matches && score < 0 ? score : undefined;
}

/**
 * Maximum number of characters per session that are matched against a regular expression. A carelessly written regular expression can take
 * quadratic time.
 */
const TRIED = 2_000;
/** Maximum time in milliseconds that a regular expression may take for the whole list. An ordinary one takes a few milliseconds. */
const LIMIT_MS = 250;
/**
 * Runs the regular expression with a timeout. With nested quantifiers, each additional character can double the run time, and only a
 * timeout stops the search.
 */
const TRY = new Script("tried.map(([a, b]) => (pattern.test(a) ? 0 : pattern.test(b) ? 1 : -1))");

function byPattern(rows: readonly Row[], query: string): Filtered {
	const source = query.replace(PATTERN, "").trim();
	if (source === "") return { rows };
	const tried = rows.map(({ title, searched }) => [title, searched.slice(0, TRIED)]);
	try {
		const pattern = new RegExp(source, "iu");
		const tiers: number[] = TRY.runInNewContext({ pattern, tried }, { timeout: LIMIT_MS });
		const matches = rows.map((row, index) => ({ row, tier: tiers[index] ?? -1, score: 0 }));
		return { rows: bestFirst(matches.filter(({ tier }) => tier >= 0)) };
	} catch {
		// The regular expression is invalid or not complete yet, or it timed out.
		return { rows: [], problem: "invalid" };
	}
}
