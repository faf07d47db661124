import { formatCondition } from "../../session-core/log/format.ts";
import { fuzzyMatch } from "../../session-core/pi/host/index.ts";
import { isInState, LISTED_STATES } from "../../session-core/sessions/state-looks.ts";
import { hasWord } from "../../session-core/sessions/view.ts";
import { foldCase } from "../../session-core/text/index.ts";
import type { Row } from "./row.ts";

/** Returns the rows that match, best first. Equally good matches keep their order. An empty filter matches all rows. */
export function filtered(rows: readonly Row[], query: string): readonly Row[] {
	const words = wordsOf(query);
	const kept = meeting(rows, query);
	if (words.length === 0) return kept;
	return kept
		.flatMap((row) => matchOf(row, words) ?? [])
		.sort((one, other) => one.tier - other.tier || one.score - other.score)
		.map(({ row }) => row);
}

/** Returns the rows that match the branch, the state and the agent in the filter. */
export function meeting(rows: readonly Row[], query: string): readonly Row[] {
	const conditions = tokensOf(query).flatMap((token) => conditionOf(token) ?? []);
	return rows.filter((row) => conditions.every((isMet) => isMet(row)));
}

/** Returns the words of a filter, all of which must match. `"…"` keeps words together, as in the host's picker. */
export function wordsOf(query: string): string[] {
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

/** How well a row matches. Lower values are better. The tier is compared before the score. */
interface Match {
	row: Row;
	/**
	 * The tier. 0: in the title. 1: in other text, or at the beginning of the id. 2: only as a fuzzy match in the title (letters in order).
	 */
	tier: number;
	score: number;
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
