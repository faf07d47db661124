import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inert, recapMarkdown } from "./markdown.ts";
import type { Recap } from "./record.ts";

const RECAP: Recap = {
	id: "r",
	kind: "session",
	subject_id: "s",
	generator: { type: "heuristic" },
	headline: "Reject days that do not exist",
	bullets: ["Did: edited parse-date.js · node --test → 3 passed"],
	next_actions: ["Should it throw a RangeError instead?"],
	artifacts: [
		{ kind: "file", label: "parse-date.js", locator: "src/parse-date.js" },
		{ kind: "command", label: "echo", locator: "echo `date`" },
	],
	outcome: "waiting",
	last_message_id: "m",
	created_at: 0,
};

test("a recap is a heading, its state and a list", () => {
	expect(recapMarkdown(RECAP)).toBe(
		[
			"## Reject days that do not exist",
			"",
			"*Waiting for your answer*",
			"",
			"- Did: edited parse-date.js · node --test → 3 passed",
			"- Open: Should it throw a RangeError instead?",
			"- `src/parse-date.js`",
			"- `` echo `date` ``",
		].join("\n"),
	);
});

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
