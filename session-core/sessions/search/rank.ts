/**
 * Ranks turns with BM25. Long entries are divided into parts that are scored separately, so that a long
 * message has no advantage over a short one.
 */

import { shownLine } from "../../text/index.ts";
import type { EntryText, Speaker, TextEntry } from "./entry-text.ts";
import { type Query, wordsIn } from "./query.ts";
import { clipped, isOtherHalf, sectionAt } from "./read.ts";

export interface WordCounts {
	/**
	 * The number of occurrences of each query word. Each occurrence of a similar word counts as a
	 * fraction.
	 */
	counts: number[];
	length: number;
}

export interface Part extends WordCounts {
	by: Speaker | "thought";
}

/**
 * The parameters of the ranking function BM25. `K1` limits the effect of repeated words, and `B`
 * determines how strongly long texts are penalized.
 */
const K1 = 1.2;
const B = 0.75;
const PART_WORDS = 200;
/**
 * The weights of a query word that does not occur in the ranked text but elsewhere in the same turn or
 * session.
 */
const IN_TURN = 0.5;
const IN_SESSION = 0.15;
/**
 * Words in messages have a higher weight than words in command output, because command output covers
 * many unrelated topics.
 */
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

export interface Shown {
	section: number;
	excerpt: string;
}

export interface Wanted {
	query: Query;
	weights: readonly number[];
}

const EXCERPT_COLUMNS = 300;
const CALL_COLUMNS = 120;

export function shownOf(
	by: Speaker,
	own: readonly EntryText[],
	others: readonly EntryText[],
	wanted: Wanted,
): Shown {
	let best: { text: EntryText; value: number; section: number } | undefined;
	let before = 0;
	for (const text of own) {
		const { value, position } = bestPlace(text.text, wanted, EXCERPT_COLUMNS);
		if (text.by === by && value > (best?.value ?? -1))
			best = { text, value, section: sectionAt(before + position) };
		before += text.text.length;
	}
	if (!best) return { section: 1, excerpt: "" };
	const { text, section } = best;
	const other = [...own, ...others].find((one) => isOtherHalf(one, text));
	if (!other) return { section, excerpt: excerptOf(text.text, wanted, EXCERPT_COLUMNS) };
	const [call, result] = by === "result" ? [other, text] : [text, other];
	const start = `${excerptOf(call.text, wanted, CALL_COLUMNS)} → `;
	return { section, excerpt: start + excerptOf(result.text, wanted, EXCERPT_COLUMNS - start.length) };
}

const LEAD = 60;
const DENSE = 0.6;

function bestPlace(text: string, { query: { matchOf }, weights }: Wanted, columns: number) {
	const places: { at: number; word: number; value: number }[] = [];
	for (const { index, 0: raw } of text.matchAll(/[\p{L}\p{N}_]+(?:[-./][\p{L}\p{N}_]+)*/gu)) {
		for (const word of wordsIn(raw)) {
			const match = matchOf(word);
			if (match) places.push({ at: index, word: match.at, value: match.like * (weights[match.at] ?? 0) });
		}
	}
	let best = { position: 0, value: 0 };
	for (const [first, { at }] of places.entries()) {
		const values = weights.map(() => 0);
		for (let next = first; ; next++) {
			const place = places[next];
			if (!place || place.at > at + (columns - LEAD) * DENSE) break;
			values[place.word] = Math.max(values[place.word] ?? 0, place.value);
		}
		const value = sum(values);
		if (value > best.value) best = { position: at, value };
	}
	return best;
}

function excerptOf(text: string, wanted: Wanted, columns: number): string {
	const { position, value } = bestPlace(text, wanted, columns);
	if (text.length <= columns || value === 0) return shownLine(clipped(text, columns), columns);
	if (position <= LEAD) return shownLine(text.slice(0, 2 * columns), columns);
	const space = text.slice(position - LEAD, position).search(/\s/);
	const from = space < 0 ? position : position - LEAD + space + 1;
	return shownLine(`…${text.slice(from, from + 2 * columns)}`, columns);
}
