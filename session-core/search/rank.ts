/** Ranks entries with BM25, by how often they contain the words of a query and by who wrote them. */
import type { EntryText, Speaker } from "./entry-text.ts";
import type { Query } from "./query.ts";
import { foldText, wordsIn } from "./terms.ts";

export interface WordCounts {
	/** How often each word of the query occurs in the entry. `total` is the sum of these counts. */
	counts: number[];
	total: number;
	/** How well each word of the query is matched by its best occurrence, from 0 to 1; see `likeness`. */
	likes: number[];
	/** Words of the entry. */
	length: number;
	/** Number of phrases of the query that occur in the entry. */
	phrases: number;
	/** For each pair of words that are adjacent both in the query and in the entry, the index of the second word in the query. */
	pairs: number[];
	/** The origin of the part of the entry that contains the most query words. */
	by: Speaker;
}

/** BM25's parameters. `K1`: how quickly repetitions of a word lose weight. `B`: how strongly long entries are penalized. */
const K1 = 0.8;
const B = 0.5;
/** The bonus for a word whose neighbor in the query is also its neighbor in the text. */
const PAIR = 0.4;
/** The weight of entries of the current project, relative to entries of other projects. */
export const NEAR = 1.3;
/** The weight of each part of an entry. Users remember what was discussed, while output contains words from many unrelated topics. */
const WEIGHTS: Readonly<Record<Speaker, number>> = {
	user: 1.2,
	assistant: 1,
	action: 1,
	note: 1,
	result: 0.6,
};
/** Counts the words of a query in an entry. */
export function countWords(texts: readonly EntryText[], { words, phrases, matchOf }: Query): WordCounts {
	const counts = words.map(() => 0);
	const likes = words.map(() => 0);
	const pairs = new Set<number>();
	let length = 0;
	let by: Speaker = "note";
	let bestPart = 0;
	let held = 0;
	for (const part of texts) {
		let inPart = 0;
		let last = { at: -1, place: Number.NEGATIVE_INFINITY };
		for (const word of wordsIn(part.text)) {
			length++;
			const match = matchOf(word);
			if (!match) continue;
			const { at, like } = match;
			counts[at] = (counts[at] ?? 0) + like;
			likes[at] = Math.max(likes[at] ?? 0, like);
			inPart += like;
			if (at === last.at + 1 && length - last.place <= 2) pairs.add(at);
			last = { at, place: length };
		}
		if (inPart > bestPart) {
			bestPart = inPart;
			by = part.by;
		}
		if (phrases.length > 0) {
			const folded = foldText(part.text).replace(/\s+/g, " ");
			held = Math.max(held, phrases.filter((phrase) => folded.includes(phrase)).length);
		}
	}
	const total = counts.reduce((sum, count) => sum + count, 0);
	return { counts, likes, total, length, phrases: held, pairs: [...pairs], by };
}

/**
 * Returns the score of an entry. `averageLength` is the number of words in an average entry. `weightOf` returns the weight of a word of
 * the query, which is higher for rare words.
 */
export function scoreOf(
	{ counts, likes, length, phrases, pairs, by, near }: WordCounts & { near: boolean },
	{ averageLength, weightOf }: { averageLength: number; weightOf(word: number): number },
): number {
	let score = 0;
	for (const [word, count] of counts.entries()) {
		if (count === 0) continue;
		const relativeLength = length / Math.max(1, averageLength);
		// A word that is only similar weighs less, however often it occurs.
		const like = likes[word] ?? 1;
		const times = count / like;
		const frequency = (like * times * (K1 + 1)) / (times + K1 * (1 - B + B * relativeLength));
		score += weightOf(word) * (WEIGHTS[by] * frequency + (pairs.includes(word) ? PAIR : 0));
	}
	return score * (near ? NEAR : 1) * (1 + phrases);
}
