import type { Line } from "../../log/index.ts";
import { shownLine } from "../../text/index.ts";
import { entriesOf, type Safe, type Speaker } from "./entry-text.ts";
import { type Query, wordsIn } from "./query.ts";
import { sum } from "./rank.ts";
import { clipped, isOtherHalf, sectionAt } from "./read.ts";

/** The displayed part of a hit. `section`: the section of the entry that contains the best match; see `sectionAt`. */
export interface Shown {
	section: number;
	excerpt: string;
}

export interface Wanted {
	query: Query;
	weights: readonly number[];
	safe: Safe;
}

/** Maximum widths, in columns, of an excerpt and of a command whose result follows. */
const EXCERPT_COLUMNS = 300;
const CALL_COLUMNS = 120;

/** `lines`: the entry's line, followed by the lines with the matching calls or results. */
export function shownOf(by: Speaker, lines: readonly Line[], wanted: Wanted): Shown {
	const [own = [], ...others] = lines.map(({ bytes, offset }) =>
		entriesOf(bytes, offset, wanted.safe).flatMap(({ texts }) => texts),
	);
	let before = 0;
	const matches = own.flatMap((text) => {
		const { value, position } = bestPlace(text.text, wanted, EXCERPT_COLUMNS);
		before += text.text.length;
		return text.by === by ? [{ text, value, section: sectionAt(before - text.text.length + position) }] : [];
	});
	const [best] = matches.sort((one, two) => two.value - one.value);
	if (!best) return { section: 1, excerpt: "" };
	const other = [...own, ...others.flat()].find((one) => isOtherHalf(one, best.text));
	if (!other) return { section: best.section, excerpt: excerptOf(best.text.text, wanted, EXCERPT_COLUMNS) };
	const [call, result] = by === "result" ? [other, best.text] : [best.text, other];
	const start = `${excerptOf(call.text, wanted, CALL_COLUMNS)} → `;
	return {
		section: best.section,
		excerpt: start + excerptOf(result.text, wanted, EXCERPT_COLUMNS - start.length),
	};
}

/** Maximum number of characters before the first match, and the fraction of the remaining width within which words count as one match. */
const LEAD = 60;
const DENSE = 0.6;

/** Returns the position at which an excerpt would contain the greatest total weight of query words, and that weight. */
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

/**
 * Returns an excerpt that begins shortly before the best place. Without a match, the excerpt consists of the beginning and the end of the
 * text.
 */
function excerptOf(text: string, wanted: Wanted, columns: number): string {
	const { position, value } = bestPlace(text, wanted, columns);
	if (text.length <= columns || value === 0) return shownLine(clipped(text, columns), columns);
	if (position <= LEAD) return shownLine(text.slice(0, 2 * columns), columns);
	const space = text.slice(position - LEAD, position).search(/\s/);
	const from = space < 0 ? position : position - LEAD + space + 1;
	return shownLine(`…${text.slice(from, from + 2 * columns)}`, columns);
}
