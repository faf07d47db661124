import { describe, expect, it } from "vitest";
import type { Recap } from "./record.ts";
import { actionLine, openPoints, recapText, stateLine } from "./text.ts";

const RECAP: Recap = {
	id: "1",
	kind: "session",
	subject_id: "2",
	generator: { type: "heuristic" },
	headline: "Make the lexer accept commas",
	bullets: ["Did: edited lexer.ts"],
	next_actions: ["Objects, too?"],
	artifacts: [{ kind: "file", label: "lexer.ts", locator: "src/lexer.ts" }],
	outcome: "waiting",
	last_message_id: "m",
	created_at: 3,
};

it("a recap as text is headline, state, bullets, open points and locators, a line each", () => {
	expect(recapText(RECAP).split("\n")).toEqual([
		"Make the lexer accept commas",
		"Waiting for your answer",
		"- Did: edited lexer.ts",
		"Open: Objects, too?",
		"src/lexer.ts",
	]);
});

it("what is empty takes no line", () => {
	expect(
		recapText({ ...RECAP, headline: "", bullets: [], next_actions: [], artifacts: [], outcome: "done" }),
	).toBe("");
});

it.each([
	["done", ""],
	["waiting", "Waiting for your answer"],
	["aborted", "Aborted"],
	["error", "Failed"],
	["running", "Interrupted in the middle of a run"],
] as const)("the state of %s is %j", (outcome, line) => {
	expect(stateLine({ outcome })).toBe(line);
});

it.each([
	["Objects, too?", "Open: Objects, too?"],
	["Open before that: Objects, too?", "Open before that: Objects, too?"],
	["Asked, and cut short: Objects, too", "Asked, and cut short: Objects, too"],
])("an open point stands under one label: %s", (action, line) => {
	expect(actionLine(action)).toBe(line);
});

describe("an open point", () => {
	it.each([
		["the same words", "Make the lexer accept commas"],
		[
			"the request cut short, with what the headline left out",
			"Asked, and cut short: ok, make the lexer accept commas, please",
		],
	])("that repeats the headline is left out: %s", (_, action) => {
		expect(openPoints({ headline: RECAP.headline, next_actions: [action, "Objects, too?"] })).toEqual([
			"Objects, too?",
		]);
	});

	it("stays where there is no headline", () => {
		expect(openPoints({ headline: "", next_actions: ["Objects, too?"] })).toEqual(["Objects, too?"]);
	});
});
