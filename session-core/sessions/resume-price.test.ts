import { expect, test } from "vitest";
import type { Calls } from "../log/calls.ts";
import { resumePriceText } from "./resume-price.ts";

const NOW = 1_000_000_000;
const HOUR = 3_600_000;
const CALLS: Calls = {
	context: 100_000,
	cached: 90_000,
	at: NOW - HOUR,
	isWritten: false,
	overhead: 3_000,
	rates: { input: 3e-6, cacheRead: 0.3e-6 },
};

test.each<[string, Partial<Calls>, string]>([
	["the cache has expired", {}, "resume ≈ $0.30, or --fresh ≈ $0.0090"],
	["the cache is in use", { at: NOW - 60_000 }, "resume ≈ $0.057, or --fresh ≈ $0.0090"],
	[
		"writing to the cache has a price of its own",
		{ isWritten: true, rates: { input: 3e-6, cacheWrite: 3.75e-6 } },
		"resume ≈ $0.38, or --fresh ≈ $0.011",
	],
	["a new session would cost more", { context: 2_000 }, "resume ≈ $0.0060"],
	["the first reply was not read", { overhead: undefined }, "resume ≈ $0.30"],
	["the price is 0", { rates: {} }, ""],
])("%s", (_, calls, text) => {
	expect(resumePriceText({ calls: { ...CALLS, ...calls }, record: undefined }, NOW)).toBe(text);
});

test("the new session can be named otherwise", () => {
	const shown = { calls: CALLS, record: undefined };
	expect(resumePriceText(shown, NOW, {}, "/resume-here --fresh")).toContain(
		"or /resume-here --fresh ≈ $0.0090",
	);
});

test("the price table has the prices that no reply shows", () => {
	const calls = { ...CALLS, rates: {} };
	expect(resumePriceText({ calls, record: undefined }, NOW, { input: 1e-6 })).toBe(
		"resume ≈ $0.10, or --fresh ≈ $0.0030",
	);
});
