import { describe, expect, it, test, vi } from "vitest";
import { recapOf } from "./record.test-support.ts";
import type { SessionRecord } from "./record.ts";
import { endingText, openPoints, pointsOf, recapMarkdown, recapText } from "./text.ts";

const RECAP = recapOf({
	headline: "Make the lexer accept commas",
	bullets: ["Did: edited lexer.ts"],
	bullet_kinds: ["did"],
	next_actions: ["Objects, too?"],
	artifacts: [{ kind: "file", label: "lexer.ts", locator: "src/lexer.ts" }],
});

it("leaves out a bullet that repeats the headline, an open item or another bullet", () => {
	const bullets = [
		"You asked last: make the lexer accept commas",
		"Said: Objects, too?",
		"Did: edited lexer.ts",
		"Did: edited lexer.ts",
		"Said: Make the lexer accept commas. It now does.",
	];
	const bullet_kinds: SessionRecord["bullet_kinds"] = ["asked", "said", "did", "did", "said"];
	expect(recapText({ ...RECAP, bullets, bullet_kinds }).match(/^- .*$/gm)).toEqual([
		"- Did: edited lexer.ts",
		"- Said: Make the lexer accept commas. It now does.",
	]);
});

describe("an open item", () => {
	it.each([
		["the same words", "step", "Make the lexer accept commas"],
		["the request cut short", "cut_short", "Make the lexer accept commas, please"],
	] as const)("that repeats the headline is left out: %s", (_, kind, action) => {
		expect(
			openPoints({
				headline: RECAP.headline,
				next_actions: [action, "Objects, too?"],
				next_kinds: [kind, "question"],
			}),
		).toEqual([{ kind: "question", text: "Objects, too?" }]);
	});

	it.each([
		["no kinds", undefined, "suggestion"],
		["too few kinds", [], "suggestion"],
		["its kind", ["step" as const], "step"],
	])("is a step only if the record says so: %s", (_, kinds, expected) => {
		const stored = { next_actions: ["Delete the bucket"], ...(kinds && { next_kinds: kinds }) };
		expect(pointsOf(stored)).toEqual([{ kind: expected, text: "Delete the bucket" }]);
	});

	it("stays if there is no headline", () =>
		expect(openPoints({ headline: "", next_actions: ["Objects, too?"] })).toHaveLength(1));
});

const MARKED = recapOf({
	bullets: ["Did: edited parse-date.js · node --test → 3 passed"],
	next_actions: ["Should it throw a RangeError instead?"],
	artifacts: [
		{ kind: "file", label: "parse-date.js", locator: "src/parse-date.js" },
		{ kind: "command", label: "echo", locator: "echo `date`" },
	],
});

it("renders a recap as Markdown: a heading, its state and a list", () =>
	expect(recapMarkdown(MARKED)).toBe(
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
	));

test("the text about another agent's unfinished session changes when its log is no longer modified", () => {
	vi.useFakeTimers({ now: 1_000_000 });
	const ending = { outcome: "running", activeAt: Date.now() } as const;
	vi.setSystemTime(1_000_000 + 2 * 60_000);
	expect(endingText(ending)).toBe("active 2 minutes ago");
	vi.setSystemTime(1_000_000 + 11 * 60_000);
	expect(endingText(ending)).toBe("Interrupted during a run");
	vi.useRealTimers();
});
