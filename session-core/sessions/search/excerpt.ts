import { shownLine } from "../../text/index.ts";
import type { EntryText, Speaker } from "./entry-text.ts";
import { type Query, wordsIn } from "./query.ts";
import { sum } from "./rank.ts";
import { clipped, isOtherHalf, sectionAt } from "./read.ts";

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
