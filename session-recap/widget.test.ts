import { expect, test } from "vitest";
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
import { isQuoted, widgetLines, worthOf } from "./widget.ts";

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

test.each([
	["a note with dim artifacts", NOTE, undefined, paint, ["a(b(✦)) a(b(recap))", "Fixing it.", "d(src/a.ts)"]],
	[
		"a quotation",
		OFFLINE,
		"alt+r",
		paint,
		["d(✦) a(b(recap))d( · alt+r to hide this)d( · quoted)", "Fix it"],
	],
	["plain lines in RPC mode", OFFLINE, "alt+r", undefined, ["✦ recap", "Fix it"]],
])("the widget shows %s", (_, record, key, how, lines) => {
	expect(widgetLines(record, ENGLISH, key, how)).toEqual(lines);
});

test("what a person wrote is not quoted, so no model is asked", () => {
	expect(isQuoted(recapOf({ generator: { type: "user_edited" } }))).toBe(false);
});

const words = (count: number): Happening => ({ says: Array.from({ length: count }, () => "word").join(" ") });

const [NOTHING, WORTH, ONLY_REOPENED] = [
	{ sincePrompt: false, reopened: false },
	{ sincePrompt: true, reopened: true },
	{ sincePrompt: false, reopened: true },
];
test.each<[string, Happening[], typeof NOTHING]>([
	["nothing", [], NOTHING],
	["one request and a short answer", [ASK, DONE], NOTHING],
	["29 words", [ASK, words(29)], NOTHING],
	["30 words", [ASK, words(30)], WORTH],
	["30 words in several messages", [ASK, words(20), words(10)], WORTH],
	["a call", [ASK, EDIT, DONE], WORTH],
	["an abort", [ASK, { says: "", stop: "aborted" }], WORTH],
	["a failure", [ASK, { says: "", stop: "error" }], WORTH],
	["work, then small talk", [ASK, EDIT, PASS, DONE, { user: "thanks" }, { says: "Sure." }], ONLY_REOPENED],
	["two questions", [ASK, DONE, ASK, DONE], ONLY_REOPENED],
])("whether a recap is worth its place after %s", (_, happenings, worth) => {
	expect(worthOf(timelineOf(happenings))).toEqual(worth);
});
