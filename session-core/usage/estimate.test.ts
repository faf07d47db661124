import { expect, test } from "vitest";
import { estimateCall } from "./estimate.ts";

const priced = { cost: { input: 3, output: 15, cacheRead: 0, cacheWrite: 0 } };
const free = { cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } };

test("a call costs what it sends, four characters a token, and at most the longest answer on top", () => {
	const { input, cost, most, unpriced } = estimateCall(priced, { characters: 4_000, maxTokens: 300 });
	expect(input).toBe(1_000);
	expect(cost).toBeCloseTo(0.003, 9);
	expect(most).toBeCloseTo(0.0075, 9);
	expect(unpriced).toBe(false);
});

test("a model without a price is told as such", () => {
	expect(estimateCall(free, { characters: 4_001, maxTokens: 300 })).toEqual({
		input: 1_001,
		cost: 0,
		most: 0,
		unpriced: true,
	});
});
