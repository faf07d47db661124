import { describe, expect, it } from "vitest";
import { ENGLISH } from "../words/card-words.ts";
import type { SessionRecord } from "./record.ts";
import { actionLine, openPoints, recapText, stateLine } from "./text.ts";

const RECAP: SessionRecord = {
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

it("a recap as text is headline, state, bullets, open items and locators, a line each", () => {
	expect(recapText(RECAP).split("\n")).toEqual([
		"Make the lexer accept commas",
		"Waiting for your answer",
		"- Did: edited lexer.ts",
		"Open: Objects, too?",
		"src/lexer.ts",
	]);
});

it("a bullet that repeats the headline, an open item or another bullet takes no line", () => {
	const bullets = [
		"You asked: make the lexer accept commas",
		"Said: Objects, too?",
		"Did: edited lexer.ts",
		"Did: edited lexer.ts",
		"Said: Make the lexer accept commas. It now does.",
	];
	expect(recapText({ ...RECAP, bullets }).match(/^- .*$/gm)).toEqual([
		"- Did: edited lexer.ts",
		"- Said: Make the lexer accept commas. It now does.",
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
	["running", "Interrupted during a run"],
] as const)("the state of %s is %j", (outcome, line) => {
	expect(stateLine({ outcome })).toBe(line);
});

it.each([
	["question", "Open: Objects, too?"],
	["step", "Open: Objects, too?"],
	["cut_short", "Interrupted request: Objects, too?"],
] as const)("an open item has the label of its kind: %s", (kind, line) => {
	expect(actionLine({ kind, text: "Objects, too?" }, ENGLISH)).toBe(line);
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

	it("stays where there is no headline", () => {
		expect(openPoints({ headline: "", next_actions: ["Objects, too?"] })).toHaveLength(1);
	});
});
