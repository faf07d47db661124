/**
 * Ranks turns with BM25. Long entries are divided into parts that are scored separately, so that a long
 * message has no advantage over a short one.
 */

import type { Speaker, TextEntry } from "./entry-text.ts";
import { type Query, wordsIn } from "./query.ts";

export interface WordCounts {
	/** The number of occurrences of each query word. A similar word counts as a fraction of an occurrence. */
	counts: number[];
	length: number;
}

export interface Part extends WordCounts {
	by: Speaker | "thought";
}

/**
 * The parameters of BM25. `K1` limits the effect of repeated words, and `B` determines how strongly long
 * texts are penalized.
 */
const K1 = 1.2;
const B = 0.75;
/** Texts with more than this number of words are divided into parts, which are scored separately. */
const PART_WORDS = 200;
/**
 * The weights of a query word that occurs elsewhere in the same turn or session, but not in the text that
 * is ranked.
 */
const IN_TURN = 0.5;
const IN_SESSION = 0.15;
/** Words in messages have a higher weight than in command output, which covers many unrelated topics. */
const WEIGHTS: Readonly<Record<Part["by"], number>> = {
	user: 1.2,
	assistant: 1,
	action: 1,
	note: 1,
	result: 0.75,
	thought: 0.7,
};
export function* partsWith(entry: TextEntry, { words, matchOf }: Query): Generator<Part, void, undefined> {
	for (const { by, text } of [...entry.texts, { by: "thought", text: entry.thought } as const]) {
		let part = { by, ...noWords(words) };
		for (const word of wordsIn(text)) {
			if (part.length === PART_WORDS) {
				yield part;
				part = { by, ...noWords(words) };
			}
			part.length++;
			const match = matchOf(word);
			if (match) part.counts[match.at] = (part.counts[match.at] ?? 0) + match.like * WEIGHTS[by];
		}
		if (part.length > 0) yield part;
	}
}

export function noWords(words: readonly string[]): WordCounts {
	return { counts: words.map(() => 0), length: 0 };
}

export interface Corpus {
	weights: readonly number[];
	partLength: number;
	turnLength: number;
}

export function bestOf<P extends WordCounts>(
	turn: WordCounts & { parts: readonly P[] },
	inSession: number,
	{ weights, partLength, turnLength }: Corpus,
): { part: P; score: number } | undefined {
	const valuesOf = (counts: WordCounts, average: number) =>
		weights.map((weight, at) => weight * frequency(counts, at, average));
	const elsewhere = weights.map((weight, at) => {
		const inTurn = IN_TURN * Math.min(1, turn.counts[at] ?? 0);
		return weight * Math.max(inTurn, inSession & (1 << at) ? IN_SESSION : 0);
	});
	let best: { part: P; own: number } | undefined;
	let score = 0;
	for (const part of turn.parts) {
		const values = valuesOf(part, partLength);
		score = Math.max(score, sum(values.map((value, at) => Math.max(value, elsewhere[at] ?? 0))));
		if (sum(values) > (best?.own ?? 0)) best = { part, own: sum(values) };
	}
	return best && { part: best.part, score: score + sum(valuesOf(turn, turnLength)) };
}

function frequency({ counts, length }: WordCounts, at: number, averageLength: number): number {
	const count = counts[at] ?? 0;
	return (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / averageLength));
}

export function sum(numbers: readonly number[]): number {
	return numbers.reduce((total, one) => total + one, 0);
}
