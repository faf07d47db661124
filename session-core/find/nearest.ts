import { fold } from "./match.ts";

/** Below this, two texts have little more in common than any two. */
const ALIKE = 0.3;

/** Those whose text is most like what was typed, likest first: by the pairs of letters that they share (Dice 1945). */
export function nearest<T>(typed: string, among: Iterable<T>, textOf: (one: T) => string, most = 3): T[] {
	const wanted = pairsOf(fold(typed));
	return [...among]
		.map((one) => ({ one, alike: likeness(wanted, pairsOf(fold(textOf(one)).slice(0, 200))) }))
		.filter(({ alike }) => alike >= ALIKE)
		.sort((one, other) => other.alike - one.alike)
		.slice(0, most)
		.map(({ one }) => one);
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
	let shared = 0;
	for (const pair of one) if (other.has(pair)) shared++;
	return (2 * shared) / (one.size + other.size);
}

function pairsOf(text: string): Set<string> {
	const letters = [...` ${text} `];
	return new Set(letters.slice(1).map((letter, index) => `${letters[index]}${letter}`));
}
