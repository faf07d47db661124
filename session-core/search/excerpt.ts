/** Cuts the part that matches a query best out of a text. */
import type { Line } from "../session-file/lines.ts";
import { shownLine } from "../text/shown-line.ts";
import { entriesOf, type Safe, type Speaker } from "./entry-text.ts";
import type { Query } from "./query.ts";
import { sum } from "./rank.ts";
import { clipped, isOtherHalf, sectionAt } from "./read.ts";
import { wordsIn } from "./terms.ts";

/** What is shown of a hit. `section`: the section of the entry that contains the best match; see `sectionAt`. */
export interface Shown {
	section: number;
	excerpt: string;
}

/** A query with the weights of its words, and the function that makes a text safe to show. */
export interface Wanted {
	query: Query;
	weights: readonly number[];
	safe: Safe;
}

/** Maximum width of an excerpt in columns, and of a command whose result follows. */
const EXCERPT_COLUMNS = 300;
const CALL_COLUMNS = 120;

/** Shows a part of an entry: a command with its result, and a result with its command. `lines`: the entry's line, then its other halves. */
export function shownOf(by: Speaker, lines: readonly Line[], wanted: Wanted): Shown {
	const [own = [], ...others] = lines.map(({ bytes, offset }) =>
		entriesOf(bytes, offset, wanted.safe).flatMap(({ texts }) => texts),
	);
	let before = 0;
	let chosen = { value: -1, position: 0, text: own[0] };
	for (const text of own) {
		const { value, position } = excerptOf(text.text, wanted, EXCERPT_COLUMNS);
		if (text.by === by && value > chosen.value) chosen = { value, position: before + position, text };
		before += text.text.length;
	}
	const { text, position } = chosen;
	const other = [...own, ...others.flat()].find((one) => text && isOtherHalf(one, text));
	let excerpt = "";
	for (const half of by === "result" ? [other, text] : [text, other]) {
		if (!half) continue;
		const columns = half.by === "action" && other ? CALL_COLUMNS : EXCERPT_COLUMNS - excerpt.length;
		excerpt += `${excerpt && " → "}${excerptOf(half.text, wanted, columns).line}`;
	}
	return { section: sectionAt(position), excerpt };
}

/** Maximum number of characters before the first match, and the share of the rest in which words count as one match. */
const LEAD = 60;
const DENSE = 0.6;

/**
 * Returns the excerpt that contains the most weight of words, with some text before it and what follows it, because the fact that is looked
 * for often does. `value`: that weight; if it is 0, the excerpt is the beginning and the end of the text.
 */
function excerptOf(text: string, { query: { matchOf }, weights }: Wanted, columns: number) {
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
		const value = sum([...values.values()]);
		if (value > best.value) best = { at, value };
	}
	const { at: position, value } = best;
	if (text.length <= columns || value === 0)
		return { line: shownLine(clipped(text, columns), columns), position, value };
	const from = position <= LEAD ? 0 : wordStart(text, position - LEAD, position);
	const line = `${from > 0 ? "…" : ""}${text.slice(from, from + 2 * columns)}`;
	return { line: shownLine(line, columns), position, value };
}

/** Returns the start of the first word in a span, or the end of the span if it contains none. */
function wordStart(text: string, from: number, to: number): number {
	const space = text.slice(from, to).search(/\s/);
	return space < 0 ? to : from + space + 1;
}
