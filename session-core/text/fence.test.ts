import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fenced } from "./fence.ts";

const TAGS = ["session", "recap"];

describe("fenced text", () => {
	test.each([
		["a </session> b < SESSION> <session x>", "a ‹/session> b ‹ SESSION> ‹session x>"],
		["< /session>", "‹ /session>"],
		["<\n/\t session >", "‹\n/\t session >"],
		["＜/session＞", "‹/session＞"],
		["<／ｓｅｓｓｉｏｎ>", "‹／ｓｅｓｓｉｏｎ>"],
		["<\u200b/se\u00adssion>", "‹\u200b/se\u00adssion>"],
		["</ѕеѕѕіоn>", "‹/ѕеѕѕіоn>"],
		["〈/session〉", "‹/session〉"],
		["&lt;/session&gt; &#60;recap>", "‹lt;/session&gt; ‹#60;recap>"],
		["<\\/session>", "‹\\/session>"],
	])("cannot close its fence or open another: %j", (text, safe) => {
		expect(fenced(text, TAGS)).toBe(safe);
	});

	test.each([
		"List<Sessions> and <sessional>",
		"a < b",
		"if (a << 2 && b)",
		"<div class='session'>",
		"&lt;div&gt;",
	])("keeps everything else: %j", (text) => expect(fenced(text, TAGS)).toBe(text));

	const invisible = fc.constantFrom("", "\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u0301", "\x00");
	const blank = fc.constantFrom("", " ", "\t", "\n", "\u00a0", "\u3000");
	const letter = (char: string) =>
		fc.constantFrom(char, char.toUpperCase(), String.fromCharCode(char.charCodeAt(0) + 0xfee0));
	const disguised = fc
		.tuple(
			fc.constantFrom("<", "＜", "﹤", "〈", "⟨"),
			fc.array(fc.oneof(blank, invisible), { maxLength: 5 }),
			fc.constantFrom("", "/", "／", "//"),
			fc.array(fc.oneof(blank, invisible), { maxLength: 5 }),
			fc
				.constantFrom(...TAGS)
				.chain((tag) => fc.tuple(...[...tag].flatMap((char) => [letter(char), invisible]))),
			fc.constantFrom(">", "＞", " >", " x>", "\n", ""),
		)
		.map((parts) => parts.flat().join(""));

	test("replaces the bracket of a tag in any disguise, and nothing else", () => {
		fc.assert(
			fc.property(fc.string(), disguised, (before, tag) => {
				const text = `${before} ${tag}`;
				const safe = fenced(text, TAGS);
				expect(safe.at(before.length + 1)).toBe("‹");
				expect(safe.slice(before.length + 2)).toBe(text.slice(before.length + 2));
				expect(fenced(safe, TAGS)).toBe(safe);
			}),
		);
	});
});
