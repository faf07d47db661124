import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileText } from "../../test/support/hostile-text.ts";
import { displayWidth } from "./clip.ts";
import { cutAtClause, isBalanced, lineThatFits, plainLine, withoutFinalMark } from "./fit-line.ts";

describe("plain", () => {
	it.each([
		["emphasis and code marks", "**Fixed** the _old_ `parser`", "Fixed the old parser"],
		["a link", "see [the docs](https://a.dev/x)", "see the docs"],
		["heading and list marks in front", "## - Result", "Result"],
		["more than one line", "a\n\n  b", "a b"],
		["control characters", "\u001b[31mred\u0007 \u202eend", "red end"],
		["other marks than those of a name", "**see** __init__.py and a*b", "see __init__.py and a*b"],
	])("is without %s", (_, text, line) => expect(plainLine(text)).toBe(line));

	it("shows no secret, even if the cut is inside one", () =>
		expect(plainLine(`${"x ".repeat(1_990)}AKIAIOSFODNN7EXAMPLE`)).not.toMatch(/AKIAIOSF/));
});

describe("isBalanced", () => {
	it.each([
		"",
		"a (b) [c] {d}",
		"「a」（b）“c”",
		'"a" `b`',
		"it's 5 o'clock",
		"A) always or B) on?",
		"1) a (b) 2) c",
	])("yes: %s", (text) => expect(isBalanced(text)).toBe(true));
	it.each(["a (b", "b)", "[c", "「a", "（b", "“c", '"a', "`b", "one) b (c)"])("no: %s", (text) => {
		expect(isBalanced(text)).toBe(false);
	});
});

it.each([
	["Fix the parser!!", "Fix the parser"],
	["Fix the parser… ", "Fix the parser"],
	["パーサーを直す。", "パーサーを直す"],
	["Fix the parser?", "Fix the parser?"],
	["...", ""],
])("a headline has no final mark: %s", (text, headline) => expect(withoutFinalMark(text)).toBe(headline));

it.each([
	["fits", "The parser is fixed.", 40, "The parser is fixed."],
	["ends in a mark that a longer text needed", "The parser is fixed, ", 40, "The parser is fixed"],
	["is too wide", "The parser is fixed.", 10, undefined],
	["is too wide in columns, not in characters", "파서를 고쳤다", 10, undefined],
	["leaves a bracket open", "The parser (see below", 40, undefined],
	["is empty", " , ", 40, undefined],
])("whether a text that %s may be a whole line", (_, text, columns, line) =>
	expect(lineThatFits(text, columns)).toBe(line),
);

describe("clause", () => {
	it.each([
		["The parser is now fixed. The printer writes what the parser reads.", 40, "The parser is now fixed. …"],
		["The parser is fixed in each file, and printed too.", 45, "The parser is fixed in each file …"],
		["The parser is fixed now (see the notes, and the printer too) and.", 50, "The parser is fixed now …"],
		["The parser now maps every token → a node of the tree it has", 50, "The parser now maps every token …"],
		["Here are options: 1. Keep the Redis queue that we have", 36, "Here are options: 1. Keep the Redis…"],
		["The parser is fixed in every module that reads what it wrote", 30, "The parser is fixed in every…"],
		["Should it be A) always or B) on?", 80, "Should it be A) always or B) on?"],
		['The "parser (is fixed', 60, "The parser is fixed"],
	])("cuts at the end of a clause, or else at a word: %s", (text, columns, line) => {
		expect(cutAtClause(text, columns)).toBe(line);
	});

	it("does not cut at a full stop inside a name", () =>
		expect(
			cutAtClause("The file src/parser.test.ts reads every module that the printer wrote", 34),
		).not.toMatch(/parser\.$/));

	it("never exceeds its columns, and is not empty unless the text is", () => {
		const text = fc.oneof(
			hostileText,
			fc.lorem({ maxCount: 30 }),
			fc.constantFrom("(a, ".repeat(99), "語".repeat(200)),
		);
		fc.assert(
			fc.property(text, fc.integer({ min: 8, max: 120 }), (raw, columns) => {
				const line = cutAtClause(plainLine(raw), columns);
				expect(displayWidth(line)).toBeLessThanOrEqual(columns);
				expect(isBalanced(line)).toBe(true);
			}),
			{ numRuns: 300 },
		);
	});
});
