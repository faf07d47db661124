import { describe, expect, test } from "vitest";
import type { Calls } from "../log/calls.ts";
import { recapOf } from "../recap/record.test-support.ts";
import { openOf } from "../recap/text.ts";
import { resumePriceText, resumePrompt, stepPrompt } from "./resume-prompt.ts";

describe("the prompt to continue with", () => {
	test("for another session contains the step and the context that it needs", () => {
		const prompt = resumePrompt(recapOf(), { kind: "step", text: "Add a test for 2026-02-30" });
		expect(prompt.replace(/(?<=context)-[a-z]{16}(?=>)/g, "")).toBe(
			[
				"Go on: Add a test for 2026-02-30",
				"",
				"<context>",
				"Task: Reject days that do not exist",
				"State: you were waiting for my answer; last run: npm test → 12 passed, then edited",
				"See: src/parse-date.js, a1b2c3d Fix the time zone",
				"</context>",
			].join("\n"),
		);
	});

	test("quotes a question and leaves the answer to the user", () => {
		const prompt = resumePrompt(recapOf(), {
			kind: "question",
			text: "Should it throw a RangeError instead?",
		});
		expect(prompt).toMatch(/^<context-[a-z]{16}>/);
		expect(prompt).toMatch(/\n> Should it throw a RangeError instead\?\n\n$/);
	});

	test("begins with the first step that is shown, whatever the record's seed instruction says", () => {
		const { next_actions } = recapOf();
		expect(openOf(recapOf({ resume_hint: { seed_instruction: "Delete it all" } })).next?.text).toBe(
			next_actions[0],
		);
		expect(openOf(recapOf()).next?.text).toBe(next_actions[0]);
	});

	test("is only the step in the same session; a step never becomes a command of pi", () => {
		expect(stepPrompt({ kind: "step", text: "Add a test" })).toBe("Add a test");
		expect(stepPrompt({ kind: "question", text: "Should it throw?" })).toBe("> Should it throw?\n\n");
		for (const text of ["/new", "!ls", "@notes.md"])
			expect(stepPrompt({ kind: "step", text })).toBe(`Go on: ${text}`);
	});

	test("in a fresh session also says what happened, and names no step if nothing is open", () => {
		const fresh = resumePrompt(recapOf({ bullets: ["Did: edited a.ts"] }), undefined, { isFresh: true });
		expect(fresh).toMatch(/^<(context-[a-z]{16})>\nTask: .*\n[\s\S]*- Did: edited a\.ts\n<\/\1>\n\n$/);
	});
});

const NOW = 1_000_000_000;
const HOUR = 3_600_000;
const CALLS: Calls = {
	context: 100_000,
	cached: 90_000,
	at: NOW - HOUR,
	isWritten: false,
	overhead: 3_000,
	rates: { input: 3e-6, cacheRead: 0.3e-6 },
};

test.each<[string, Partial<Calls>, string]>([
	["the cache has expired", {}, "resume ≈ $0.30, or --fresh ≈ $0.0090"],
	["the cache is in use", { at: NOW - 60_000 }, "resume ≈ $0.057, or --fresh ≈ $0.0090"],
	[
		"writing to the cache has a price of its own",
		{ isWritten: true, rates: { input: 3e-6, cacheWrite: 3.75e-6 } },
		"resume ≈ $0.38, or --fresh ≈ $0.011",
	],
	["a new session would cost more", { context: 2_000 }, "resume ≈ $0.0060"],
	["the first reply was not read", { overhead: undefined }, "resume ≈ $0.30"],
	["the price is 0", { rates: {} }, ""],
])("%s", (_, calls, text) => {
	expect(resumePriceText({ calls: { ...CALLS, ...calls }, record: undefined }, NOW)).toBe(text);
});

test("the text can name the new session differently", () => {
	const shown = { calls: CALLS, record: undefined };
	expect(resumePriceText(shown, NOW, {}, "/resume-here --fresh")).toContain(
		"or /resume-here --fresh ≈ $0.0090",
	);
});

test("the price table supplies the prices that no reply shows", () => {
	const calls = { ...CALLS, rates: {} };
	expect(resumePriceText({ calls, record: undefined }, NOW, { input: 1e-6 })).toBe(
		"resume ≈ $0.10, or --fresh ≈ $0.0030",
	);
});
