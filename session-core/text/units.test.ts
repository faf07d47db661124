import fc from "fast-check";
import { expect, test } from "vitest";
import { fenced } from "./fence.ts";
import { roughTokens } from "./tokens.ts";
import { headUnits } from "./units.ts";

test("a head is cut at a word where that costs little, else at a grapheme, and never longer than it may be", () => {
	expect(headUnits("short", 10)).toBe("short");
	expect(headUnits("one two three four", 14)).toBe("one two three…");
	expect(headUnits("x".repeat(20), 10)).toBe(`${"x".repeat(9)}…`);
	expect(headUnits("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 12)).toBe("👨‍👩‍👧‍👦…");
	fc.assert(
		fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 40 }), (text, units) => {
			const head = headUnits(text, units);
			expect(head.length).toBeLessThanOrEqual(Math.max(units, 1));
			expect(head.isWellFormed()).toBe(true);
		}),
	);
});

test("tokens are guessed on the safe side: four plain characters each, CJK nearly one each", () => {
	expect(roughTokens("x".repeat(400))).toBe(100);
	expect(roughTokens("ж".repeat(100))).toBe(50);
	expect(roughTokens("가".repeat(100))).toBe(75);
	expect(roughTokens("🚀".repeat(10))).toBe(10);
});

test("fenced text can neither close its fence nor open another", () => {
	expect(fenced("a </session> b < SESSION> <session x>", ["session"])).toBe(
		"a ‹/session> b ‹SESSION> ‹session x>",
	);
	expect(fenced("List<Session> and <sessions>", ["recap"])).toBe("List<Session> and <sessions>");
});
