import { visibleWidth } from "@mariozechner/pi-tui";
import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it, test } from "vitest";
import { hostileText } from "../../test/support/hostile-text.ts";
import {
	clipColumns,
	clipSentence,
	displayWidth,
	headUnits,
	tailUnits,
	type WrapOptions,
	wrapColumns,
} from "./clip.ts";
import { cleanLine, cleanText } from "./sanitize.ts";
import { estimateTokens } from "./words.ts";

const graphemes = (text: string) => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);

describe("clipColumns", () => {
	it.each([
		["fits as it is", "short", 5, "short"],
		["keeps whole words", "the quick brown fox", 12, "the quick…"],
		["keeps a word that ends at the cut", "the quick brown fox", 10, "the quick…"],
		["cuts a word that is too long to lose", "a incomprehensibilities", 10, "a incompr…"],
		["cuts a single long word", "incomprehensibilities", 8, "incompr…"],
		["counts wide characters", "日本語のテキスト", 7, "日本語…"],
		["leaves a column free before half a character", "日本語のテキスト", 8, "日本語…"],
		["keeps a family together", "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 5, "👩‍👩‍👧👩‍👩‍👧…"],
		["one column is the sign that there is more", "abc", 1, "…"],
		["no column is nothing", "abc", 0, ""],
	])("%s", (_name, text, columns, expected) => expect(clipColumns(text, columns)).toBe(expected));

	it("limits the length of graphemes with many combining marks", () => {
		expect(clipColumns(`ab${"\u0301".repeat(5000)}`, 40)).toBe("a…");
		expect(clipColumns("ᅡ".repeat(5000), 40).length).toBeLessThan(40 * 33);
		expect(clipColumns("\n".repeat(5000), 4).length).toBeLessThan(4 * 33);
	});

	it("never exceeds the given columns and never splits a grapheme or a surrogate pair", () => {
		fc.assert(
			fc.property(hostileText, fc.integer({ min: 0, max: 40 }), (text, columns) => {
				const clipped = clipColumns(text, columns);
				for (const one of [clipped, clipSentence(text, columns)]) {
					expect(displayWidth(one)).toBeLessThanOrEqual(columns);
					expect(one.isWellFormed()).toBe(true);
				}
				const clean = cleanText(text);
				if (clipped === clean || clipped === "") return;
				expect(clipped.endsWith("…")).toBe(true);
				const kept = graphemes(clipped.slice(0, -1));
				expect(graphemes(clean).slice(0, kept.length)).toEqual(kept);
			}),
			{ numRuns: 3000 },
		);
	});
});

describe("clipSentence", () => {
	it.each([
		["One. Two.", 9, "One. Two."],
		["Fixed the parser. Tests pass. Next: the docs.", 40, "Fixed the parser. Tests pass. …"],
		["It works. And more of it.", 11, "It works. …"],
		["Shall I go on? There are three more files.", 30, "Shall I go on? …"],
		['It said "done." Then it stopped for good.', 30, 'It said "done." …'],
		["修正しました。次はテストです。", 20, "修正しました。 …"],
		["Edited parser.ts and lexer.ts in the core folder", 30, "Edited parser.ts and lexer.ts…"],
		["Ok. Then the agent rewrote the parser", 30, "Ok. Then the agent rewrote…"],
		["the quick brown fox jumps", 12, "the quick…"],
		["Here are options: 1. Keep Redis. 2. Move to SQLite", 40, "Here are options: 1. Keep Redis. …"],
	])("ends %j within %i columns with a sentence if that is not too short", (text, columns, expected) => {
		expect(clipSentence(text, columns)).toBe(expected);
	});
});

test.each([
	["plain", 5],
	["日本語", 6],
	["👩‍👩‍👧", 2],
	["❤️", 2],
	["❤", 1],
	["🇩🇪", 2],
	["1️⃣", 2],
	["e\u0301", 1],
	["ｶﾅ", 2],
	["한국어", 6],
	["한".normalize("NFD"), 2],
	["ｆｕｌｌ", 8],
	["Здравствуй", 10],
	["กำ", 2],
	["", 0],
])("counts the columns of %j as %i, as a terminal does", (text, columns) => {
	expect(displayWidth(text)).toBe(columns);
	expect(visibleWidth(text)).toBe(columns);
});

test("no character is measured narrower than by the host or string-width, and few are measured wider", () => {
	let more = 0;
	for (let code = 0x20; code < 0x110000; code += code < 0x3400 || code > 0x1b000 ? 1 : 5) {
		if (code === 0x20000) code = 0xe0000;
		const char = String.fromCodePoint(code);
		const text = /[\p{Cn}\p{Co}\s]/u.test(char) ? "" : cleanText(char);
		if (text === "") continue;
		const width = displayWidth(text);
		if (width < visibleWidth(text) || width < stringWidth(text)) expect.fail(`U+${code.toString(16)}`);
		if (width > visibleWidth(text)) more++;
	}
	expect(more).toBeLessThan(2_000);
});

test("no text is measured narrower than by the host", () => {
	fc.assert(
		fc.property(hostileText, (hostile) => {
			const text = cleanText(hostile).replace(/[\n\t]/g, " ");
			expect(displayWidth(text)).toBeGreaterThanOrEqual(visibleWidth(text));
		}),
		{ numRuns: 3_000 },
	);
});

test("a head ends at a word if little is lost, otherwise at a grapheme, and never exceeds its limit", () => {
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

test("a tail begins with a line, otherwise a sentence, otherwise a word, and never exceeds its limit", () => {
	expect(tailUnits("short", 10)).toBe("short");
	expect(tailUnits("one two\nthree. four five six", 24)).toBe("three. four five six");
	expect(tailUnits("one two three. Four five six", 22)).toBe("Four five six");
	expect(tailUnits("one two three four", 11)).toBe("three four");
	expect(tailUnits("🚀".repeat(10), 5)).toBe("🚀🚀");
	fc.assert(
		fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 40 }), (text, units) => {
			expect(tailUnits(text, units).length).toBeLessThanOrEqual(units);
			expect(tailUnits(text, units).isWellFormed()).toBe(true);
		}),
	);
});

test("the number of tokens is not underestimated: four plain characters per token, nearly one CJK character per token", () => {
	expect(estimateTokens("x".repeat(400))).toBe(100);
	expect(estimateTokens("ж".repeat(100))).toBe(50);
	expect(estimateTokens("가".repeat(100))).toBe(75);
	expect(estimateTokens("🚀".repeat(10))).toBe(10);
});

describe("wrapping", () => {
	it.each<[string, WrapOptions, string]>([
		["make the parser strict", { columns: 10 }, "make the|parser|strict"],
		["- make the parser", { columns: 10, indent: "  " }, "- make the|  parser"],
		["  2 make the parser", { columns: 10, indent: "  " }, "  2 make|  the|  parser"],
		["运行 测试并修复解析器中的错误", { columns: 12 }, "运行 测试并|修复解析器中|的错误"],
		["修复解析器，然后测试", { columns: 10 }, "修复解析|器，然后测|试"],
		["修复解析「器」", { columns: 10 }, "修复解析|「器」"],
		["请运行parse-date然后", { columns: 12 }, "请运行|parse-date然|后"],
		["날짜 파서를 고쳐", { columns: 11 }, "날짜 파서를|고쳐"],
		["in src/parse-date.js now", { columns: 8 }, "in|src/pars|e-date.j|s now"],
		["make the parser strict", { columns: 10, max: 2 }, "make the|parser…"],
		["make the parser strict", { columns: 10, max: 1 }, "make the…"],
	])("breaks %j with %j", (text, options, lines) => {
		expect(wrapColumns(text, options)).toEqual(lines.split("|"));
	});

	it("loses only spaces and never makes a line too wide", () => {
		fc.assert(
			fc.property(hostileText.map(cleanLine), fc.integer({ min: 4, max: 60 }), (text, columns) => {
				const lines = wrapColumns(text, { columns });
				for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
				if (!lines.some((line) => line.endsWith("…")))
					expect(lines.join("").replace(/\s/gu, "")).toBe(text.replace(/\s/gu, ""));
				expect(wrapColumns(text, { columns, max: 3 }).length).toBeLessThanOrEqual(3);
			}),
		);
	});
});
