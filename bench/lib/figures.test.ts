import { describe, expect, test } from "vitest";
import { seeded } from "../../test/soak/random.ts";
import { median, medianRange } from "./figures.ts";

describe("the range of a median", () => {
	test("is the whole range of a few values", () => {
		expect(medianRange([3, 1, 2])).toEqual({ low: 1, high: 3 });
	});

	test("leaves out the outer values of many", () => {
		const values = [...Array.from({ length: 18 }, (_, at) => at), 1_000, 2_000];
		expect(medianRange(values)).toEqual({ low: 4, high: 15 });
	});

	test("holds the true median in 95 of 100 samples", () => {
		const random = seeded(7);
		const holds = Array.from({ length: 1_000 }, () => {
			const { low, high } = medianRange(Array.from({ length: 25 }, random));
			return low <= 0.5 && 0.5 <= high;
		});
		expect(holds.filter(Boolean).length).toBeGreaterThan(935);
	});

	test("lies around the median", () => {
		const values = [1, 1.02, 1.03, 1.05, 1.2, 0.9];
		const { low, high } = medianRange(values);
		expect(median(values)).toBeGreaterThan(low);
		expect(median(values)).toBeLessThan(high);
	});
});
