import { randomBytes } from "node:crypto";

export type Random = () => number;

/** A small seeded generator (mulberry32), so that a failure can be repeated. */
export function seeded(seed: number): Random {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

export function bytesOf(random: Random, count: number): Buffer {
	return Buffer.from(Array.from({ length: count }, () => Math.floor(random() * 256)));
}

export function anyOf<T>(random: Random, list: readonly T[]): T {
	const chosen = list[Math.floor(random() * list.length)];
	if (chosen === undefined) throw new Error("nothing to choose from");
	return chosen;
}

/** A folder's name without digits and common letters, so that no filter in a test matches it. */
export function unlikelyName(): string {
	return Array.from(randomBytes(12), (byte) => "QXZJVKWY"[byte % 8]).join("");
}
