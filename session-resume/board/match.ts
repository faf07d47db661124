import { fuzzyMatch } from "@mariozechner/pi-tui";
import { tryPattern } from "./pattern.ts";
import { folded } from "./row.ts";
import type { Match, Row } from "./types.ts";

/** Begins a query that is a regular expression, as in the host's picker. */
const PATTERN = /^\s*re:/i;

/** Words that must all be found; `"…"` keeps words together and `re:` makes a pattern of all, as in the host's picker. */
export function wordsOf(query: string): string[] {
	if (isPattern(query)) return [query.trim()];
	const found = folded(query).matchAll(/"([^"]+)(?:"|$)|([^\s"]\S*)/g);
	return [...found].map(([, phrase, word]) => (phrase ?? word ?? "").trim()).filter(Boolean);
}

/** The rows that match, best first and in the given order among equals. */
export function matching(rows: readonly Row[], query: string): Row[] {
	const words = wordsOf(query);
	return words.length === 0 ? [...rows] : bestFirst(matchesIn(rows, words));
}

export function isPattern(query: string): boolean {
	return PATTERN.test(query);
}

/** The rows that match, in the given order. */
export function matchesIn(rows: readonly Row[], words: readonly string[]): Match[] {
	const [first = ""] = words;
	if (isPattern(first)) return matchesOf(patternOf(first), rows);
	const matches: Match[] = [];
	for (const row of rows) {
		const match = matchRow(row, words);
		if (match) matches.push(match);
	}
	return matches;
}

/** The sort is stable, so equals stay in the order of the list. */
export function bestFirst(matches: readonly Match[]): Row[] {
	return matches
		.toSorted((one, other) => one.tier - other.tier || one.score - other.score)
		.map(({ row }) => row);
}

/** Characters of a session that a pattern is tried on: a careless one takes the square of them. */
const TRIED = 2_000;

function matchesOf(pattern: RegExp | undefined, rows: readonly Row[]): Match[] {
	if (!pattern) return [];
	const tiers = tryPattern(
		pattern,
		rows.map(({ title, match }) => [title, match.text.slice(0, TRIED)]),
	);
	return rows.flatMap((row, index): Match[] => {
		const tier = tiers[index];
		return tier === 0 || tier === 1 ? [{ row, tier, score: 0 }] : [];
	});
}

/** Undefined while it is not yet, or never will be, a pattern: nothing matches then. */
function patternOf(query: string): RegExp | undefined {
	const source = query.replace(PATTERN, "").trim();
	try {
		return source === "" ? undefined : new RegExp(source, "iu");
	} catch {
		return undefined;
	}
}

/**
 * Letters in order (`prsfix`) count in titles only, and only where they stand close: anywhere else they would match nearly
 * everything.
 */
function matchRow(row: Row, words: readonly string[]): Match | undefined {
	let tier: Match["tier"] = 0;
	let score = 0;
	for (const word of words) {
		if (row.match.title.includes(word)) continue;
		if (row.match.text.includes(word)) {
			if (tier === 0) tier = 1;
			continue;
		}
		const letters = closeLetters(word, row.match.title);
		if (letters === undefined) return undefined;
		tier = 2;
		score += letters;
	}
	return { row, tier, score };
}

/** Score of the letters of a word in a title; undefined unless they stand there in order and close. */
function closeLetters(word: string, title: string): number | undefined {
	// Scripts without spaces make words of one or two letters: there, letters in order say nothing.
	if (word.length < 2 || /[^\x21-\x7e]/.test(word) || !inOrder(word, title)) return undefined;
	const { matches, score } = fuzzyMatch(word, title);
	return matches && score < 0 ? score : undefined;
}

/** Cheap, and false for nearly every row: only the rest is scored. */
function inOrder(word: string, title: string): boolean {
	let from = 0;
	for (const letter of word) {
		from = title.indexOf(letter, from) + 1;
		if (from === 0) return false;
	}
	return true;
}
