/** Cuts the part that matches a query best out of a text. */
import { shownLine } from "../text/shown-line.ts";
import type { Query } from "./query.ts";
import { clipped } from "./read.ts";
import { wordsIn } from "./terms.ts";

export interface Excerpt {
	line: string;
	/** Position of the best match in the text. */
	position: number;
	/** Sum of the weights of the words that match; 0 if none does. The excerpt is then the beginning and the end of the text. */
	value: number;
}

/** Maximum number of characters before the first match, and the share of the rest in which words count as one match. */
const LEAD = 60;
const DENSE = 0.6;

/**
 * Returns the excerpt of at most `columns` columns that contains the most weight of words, with some text before it and what follows it,
 * because the fact that is looked for often does. `weights`: the weight of each word of the query.
 */
export function excerptOf(
	text: string,
	{ matchOf }: Query,
	weights: readonly number[],
	columns: number,
): Excerpt {
	const places: { at: number; word: number; value: number }[] = [];
	for (const { index, 0: raw } of text.matchAll(/[\p{L}\p{N}_]+(?:[-./][\p{L}\p{N}_]+)*/gu)) {
		for (const word of new Set(wordsIn(raw))) {
			const match = matchOf(word);
			if (match) places.push({ at: index, word: match.at, value: match.like * (weights[match.at] ?? 0) });
		}
	}
	let best = { at: 0, value: 0 };
	for (const [first, { at }] of places.entries()) {
		const values = new Map<number, number>();
		for (let next = first; ; next++) {
			const place = places[next];
			if (!place || place.at > at + (columns - LEAD) * DENSE) break;
			values.set(place.word, Math.max(values.get(place.word) ?? 0, place.value));
		}
		const value = [...values.values()].reduce((total, one) => total + one, 0);
		if (value > best.value) best = { at, value };
	}
	const fits = text.length <= columns;
	if (fits || best.value === 0)
		return { ...best, line: shownLine(clipped(text, columns), columns), position: 0 };
	const from = best.at <= LEAD ? 0 : wordStart(text, best.at - LEAD, best.at);
	const line = `${from > 0 ? "…" : ""}${text.slice(from, from + 2 * columns)}`;
	return { line: shownLine(line, columns), position: best.at, value: best.value };
}

/** Returns the start of the first word in a span, or the end of the span if it contains none. */
function wordStart(text: string, from: number, to: number): number {
	const space = text.slice(from, to).search(/\s/);
	return space < 0 ? to : from + space + 1;
}
