import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inert } from "./inert-markdown.ts";

describe("text of a session", () => {
	test.each([
		["# no heading", "\\# no heading"],
		["> no quotation", "\\> no quotation"],
		["1. no list", "\\1. no list"],
		["<img src=x onerror=alert(1)>", "\\<img src=x onerror=alert(1)>"],
		["![x](http://e.example/p.png)", "![x\\](http://e.example/p.png)"],
		["[x]: http://e.example", "[x\\]: http://e.example"],
		["parse_date.js and a * b", "parse_date.js and a * b"],
		["\x1b[31mred\x1b[0m\nnext", "red next"],
	])("%j is inert as %j", (text, expected) => expect(inert(text)).toBe(expected));

	test("never begins a block, a link or HTML of its own, and stays in one line", () => {
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom(..."#>-+*=~|<>[]()!\\1.) \n`a") }), (text) => {
				const out = inert(text);
				expect(out).not.toMatch(/\n|^(?:[#>+*|=-]|~~~)|^\d+[.)]|(?<!\\)(?:\\\\)*<|(?<!\\)(?:\\\\)*\][([:]/);
			}),
		);
	});
});
