import type { Random } from "./random.ts";

/** A random element. The list must not be empty. */
export function anyOf<T>(random: Random, list: readonly T[]): T {
	const chosen = list[Math.floor(random() * list.length)];
	if (chosen === undefined) throw new Error("nothing to choose from");
	return chosen;
}

/** A random element by weight. */
export function byWeight<T extends { weight: number }>(random: Random, list: readonly T[]): T {
	let rest = random() * list.reduce((sum, { weight }) => sum + weight, 0);
	const chosen = list.find(({ weight }) => {
		rest -= weight;
		return rest < 0;
	});
	return chosen ?? anyOf(random, list);
}

/** Increments a counter. */
export function count(counts: Record<string, number>, name: string): void {
	counts[name] = (counts[name] ?? 0) + 1;
}
