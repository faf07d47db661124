import { describe, expect, it, test } from "vitest";
import {
	ASK,
	DONE,
	EDIT,
	type Happening,
	PASS,
	timelineOf,
} from "../session-core/log/timeline/log.test-support.ts";
import { ENGLISH } from "../session-core/recap/card-words.ts";
import { recapOf } from "../session-core/recap/record.test-support.ts";
import { isQuoted, widgetLines, worthOf } from "./draft.ts";

const paint = {
	accent: (text: string) => `a(${text})`,
	bold: (text: string) => `b(${text})`,
	dim: (text: string) => `d(${text})`,
};
const NOTE = recapOf({
	generator: { type: "llm", provider: "p", model: "m" },
	text: "Fixing it.",
	artifacts: [{ kind: "file", label: "a.ts", locator: "src/a.ts" }],
});
const OFFLINE = recapOf({ headline: "Fix it", bullets: [], next_actions: [], outcome: "done" });

test("a note has the terminal's own color, and only the line that names files and commits is dim", () => {
	expect(widgetLines(NOTE, ENGLISH, undefined, paint)).toEqual([
		"a(b(✦)) a(b(recap))",
		"Fixing it.",
		"d(src/a.ts)",
	]);
});

test("the header says that a text is quoted, and names the key that hides it, if one is bound", () => {
	expect(widgetLines(OFFLINE, ENGLISH, "alt+r", paint)).toEqual([
		"d(✦) a(b(recap))d( · alt+r to hide this)d( · quoted)",
		"Fix it",
	]);
});

test("RPC clients get plain lines", () => {
	expect(widgetLines(OFFLINE, ENGLISH, "alt+r", undefined)).toEqual(["✦ recap", "Fix it"]);
});

test("what a person wrote is not quoted, so no model is asked", () => {
	expect(isQuoted({ record: recapOf({ generator: { type: "user_edited" } }) })).toBe(false);
});

const words = (count: number): Happening => ({ says: Array.from({ length: count }, () => "word").join(" ") });

describe("a recap is worth its place", () => {
	it.each<[string, Happening[], { sincePrompt: boolean; reopened: boolean }]>([
		["nothing", [], { sincePrompt: false, reopened: false }],
		["one request and a short answer", [ASK, DONE], { sincePrompt: false, reopened: false }],
		["29 words", [ASK, words(29)], { sincePrompt: false, reopened: false }],
		["30 words", [ASK, words(30)], { sincePrompt: true, reopened: true }],
		["interim messages count, too", [ASK, words(20), words(10)], { sincePrompt: true, reopened: true }],
		["a call", [ASK, EDIT, DONE], { sincePrompt: true, reopened: true }],
		["an abort", [ASK, { says: "", stop: "aborted" }], { sincePrompt: true, reopened: true }],
		["a failure", [ASK, { says: "", stop: "error" }], { sincePrompt: true, reopened: true }],
		[
			"work, then small talk",
			[ASK, EDIT, PASS, DONE, { user: "thanks" }, { says: "With pleasure." }],
			{ sincePrompt: false, reopened: true },
		],
		["two questions", [ASK, DONE, ASK, DONE], { sincePrompt: false, reopened: true }],
	])("after %s", (_, happenings, worth) => {
		expect(worthOf(timelineOf(happenings))).toEqual(worth);
	});
});
