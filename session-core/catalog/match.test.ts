import { describe, expect, test } from "vitest";
import { Offers } from "./match.ts";
import type { SessionSummary } from "./summary.ts";

/** How often the parts of a list that cost are looked at. */
class Looks {
	count = 0;

	rows(count: number): SessionSummary[] {
		return Array.from({ length: count }, (_, index) => this.#row(index));
	}

	#row(index: number): SessionSummary {
		const id = `0195a1b2-c3d4-7000-8000-${String(index).padStart(12, "0")}`;
		const name = index % 10 === 0 ? "Fix the parser" : `Fix the parser, part ${index}`;
		const look = <T>(value: T): T => {
			this.count++;
			return value;
		};
		// Of a summary, only these are read.
		return {
			path: `/sessions/${id}.jsonl`,
			get id() {
				return look(id);
			},
			get name() {
				return look(name);
			},
		} as SessionSummary;
	}
}

/** What one keystroke looks at, the list being there. */
function looksOfKeystroke(count: number, typed: string): number {
	const looks = new Looks();
	const offers = new Offers(looks.rows(count));
	looks.count = 0;
	const fitting = offers.matching(typed);
	offers.isComplete(typed);
	for (const offer of fitting.slice(0, 20)) {
		offers.valueOf(offer);
		offers.shortId(offer.row.id);
	}
	return looks.count;
}

describe("what a keystroke costs", () => {
	test.each(["", "f", "fix the parser", "0195", "0195a1b2-c3d4", "part 77", "nothing like it"])(
		"does not grow with the sessions (%j)",
		(typed) => {
			for (const count of [500, 10_000]) expect(looksOfKeystroke(count, typed)).toBeLessThanOrEqual(150);
		},
	);
});

describe("values", () => {
	const offers = new Offers(new Looks().rows(30));
	const values = offers.matching("").map((offer) => offers.valueOf(offer));

	test("each means its own session, and is known when it is typed to the end", () => {
		expect(new Set(values).size).toBe(30);
		for (const value of values) {
			expect(offers.matching(value).map((offer) => offers.valueOf(offer))).toContain(value);
			expect(offers.isComplete(value)).toBe(true);
			expect(offers.isComplete(value.slice(0, -1))).toBe(values.includes(value.slice(0, -1)));
		}
	});

	test("nothing typed, or the beginning of many ids, is not complete", () => {
		for (const typed of ["", "0195a1b2", "0195a1b2-c3d4-7000-8000", "Fix the parser"])
			expect(offers.isComplete(typed)).toBe(false);
	});
});
