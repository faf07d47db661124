import { expect, it } from "vitest";
import {
	ASK,
	DONE,
	EDIT,
	type Happening,
	PASS,
	timelineOf,
} from "../session-core/log/timeline/log.test-support.ts";
import { worthOf } from "./reading.ts";

const words = (count: number): Happening => ({ says: Array.from({ length: count }, () => "word").join(" ") });

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
])("a recap is worth its place: %s", (_, happenings, worth) => {
	expect(worthOf(timelineOf(happenings))).toEqual(worth);
});
