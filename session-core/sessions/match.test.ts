import { describe, expect, test } from "vitest";
import { Offers } from "./match.ts";
import type { SessionSummary } from "./summary.ts";

/** Every tenth of these sessions has the same name. */
const rows = Array.from({ length: 30 }, (_, index) => {
	const id = `0195a1b2-c3d4-7000-8000-${String(index).padStart(12, "0")}`;
	const name = index % 10 === 0 ? "Fix the parser" : `Fix the parser, part ${index}`;
	// The code under test reads only these fields of a summary.
	return { path: `/sessions/${id}.jsonl`, id, name } as SessionSummary;
});

describe("offered texts", () => {
	const offers = new Offers(rows);
	const values = offers.matching("").map((offer) => offers.valueOf(offer));

	test("each offered text matches exactly its own session, and only once it is typed completely", () => {
		expect(new Set(values).size).toBe(30);
		for (const value of values) {
			expect(offers.matching(value).map((offer) => offers.valueOf(offer))).toContain(value);
			expect(offers.isComplete(value)).toBe(true);
			expect(offers.isComplete(value.slice(0, -1))).toBe(values.includes(value.slice(0, -1)));
		}
	});

	test("an empty text, or the beginning of many ids, matches no single session", () => {
		for (const typed of ["", "0195a1b2", "0195a1b2-c3d4-7000-8000", "Fix the parser"])
			expect(offers.isComplete(typed)).toBe(false);
	});
});
