import type { UsageEntry } from "./entry.ts";

/** What a day's lines amount to. */
export interface UsageTotal {
	/** Calls that were made or are under way. */
	calls: number;
	input: number;
	output: number;
	/** With the most that calls under way may still cost. */
	cost: number;
	/** Calls under way, in all processes, and the part of `cost` that is held back for them. */
	open: number;
	held: number;
	/** Calls whose provider reported nothing: counted by what their input costs. */
	estimated: number;
	/** Calls by models without a price: not in `cost`. */
	unpriced: number;
}

/** The calls that lines speak of, each by its newest line, in the order in which they were begun. */
export function callsOf(entries: readonly UsageEntry[]): UsageEntry[] {
	const calls = new Map<string | number, UsageEntry>();
	for (const [index, entry] of entries.entries()) {
		const key = entry.id ?? index;
		// A reservation that is read again says nothing new of a call that is over.
		if (entry.outcome === "reserved" && calls.has(key)) continue;
		calls.set(key, entry);
	}
	return [...calls.values()].filter(({ outcome }) => outcome !== "withdrawn");
}

/** Add calls up. A reservation counts with the most that it may cost, once its time is over with its input. */
export function sumOf(calls: readonly UsageEntry[], now: number): UsageTotal {
	const sum = { calls: 0, input: 0, output: 0, cost: 0, open: 0, held: 0, estimated: 0, unpriced: 0 };
	for (const call of calls) {
		const isReserved = call.outcome === "reserved";
		const isOpen = isReserved && now < (call.until ?? 0) * 1000;
		const cost = isOpen ? Math.max(call.cost, call.most ?? 0) : call.cost;
		sum.calls += 1;
		sum.input += call.input;
		sum.output += call.output;
		sum.cost += cost;
		if (isOpen) {
			sum.open += 1;
			sum.held += cost;
		} else if (isReserved || call.estimated) sum.estimated += 1;
		if (call.unpriced) sum.unpriced += 1;
	}
	return sum;
}
