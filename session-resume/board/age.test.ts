import { expect, test } from "vitest";
import { ageOf } from "./age.ts";

test.each([
	[0, "now"],
	[59_999, "now"],
	[-5_000, "now"],
	[Number.NaN, "now"],
	[60_000, "1m"],
	[59 * 60_000, "59m"],
	[60 * 60_000, "1h"],
	[23 * 3_600_000, "23h"],
	[24 * 3_600_000, "1d"],
	[7 * 86_400_000, "1w"],
	[30 * 86_400_000, "1mo"],
	[365 * 86_400_000, "1y"],
])("%i ms is %s", (age, text) => {
	expect(ageOf(1_000, 1_000 + age)).toBe(text);
});
