import { foldCase } from "./fold-case.mjs";

/** Even unrelated texts can have a similarity of almost 0.3, so a lower similarity is ignored. */
const ALIKE = 0.3;
const MAX_CHARACTERS = 200;

/**
 * Finds similar texts by comparing pairs of adjacent letters (Sørensen–Dice coefficient). Returns at most
 * `most` items, with the best match first.
 */
export function nearest<T>(wanted: string, among: Iterable<T>, textOf: (one: T) => string, most = 3): T[] {
	const pairs = letterPairs(wanted);
	return [...among]
		.map((one) => {
			const text = textOf(one);
			const end = text.replace(/^[^/.]*[/.]/, "");
			return { one, alike: Math.max(likeness(pairs, text), likeness(pairs, end)) };
		})
		.filter(({ alike }) => alike >= ALIKE)
		.sort((one, other) => other.alike - one.alike)
		.slice(0, most)
		.map(({ one }) => one);
}

function likeness(wanted: ReadonlySet<string>, text: string): number {
	const pairs = letterPairs(text);
	let shared = 0;
	for (const pair of pairs) if (wanted.has(pair)) shared++;
	return (2 * shared) / (pairs.size + wanted.size);
}

/** Adds spaces around a text, so that each letter of the text belongs to two pairs of adjacent characters. */
function letterPairs(text: string): Set<string> {
	const characters = [...` ${foldCase(text.slice(0, MAX_CHARACTERS))} `];
	return new Set(characters.slice(1).map((one, index) => `${characters[index]}${one}`));
}
