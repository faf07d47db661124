import { describe, expect, it } from "vitest";
import { cwd, type Happening, timelineOf } from "../timeline/log.test-support.ts";
import { ENGLISH } from "../words/en.ts";
import { openActions } from "./open.ts";
import { nextLines, nextOf } from "./text.ts";

const open = (...happenings: Happening[]): string[] =>
	nextLines(nextOf(openActions(timelineOf(happenings, { cwd }))), ENGLISH);
const ASK: Happening = { user: "Make the parser in src accept trailing commas please" };
const EDIT: Happening = { tool: "edit", args: { path: "src/parser.ts" }, diff: "+ 1 a" };
const asks = (question: string): Happening => ({ says: `The parser takes commas.\n\n${question}` });

describe("what is open", () => {
	it.each<[string, string, string[]]>([
		["the closing question", "Should I commit it?", ["Should I commit it?"]],
		["an offer", "If you want, I can add a changelog entry.", ["If you want, I can add a changelog entry."]],
		[
			"the unticked boxes, at most three",
			"- [x] a b c\n- [ ] the docs\n- [ ] the tests\n- [ ] the demo\n- [ ] the site",
			["the docs", "the tests", "the demo"],
		],
		["nothing where nothing is asked", "All is green.", []],
	])("is %s", (_, end, actions) => {
		expect(open(ASK, EDIT, asks(end))).toEqual(actions);
	});

	it.each<[string, Happening[]]>([
		["an abort", [{ says: "", stop: "aborted" }]],
		["an error", [{ says: "", stop: "error", error: "fetch failed" }]],
		["a call without a result", [{ bash: "npm test", pending: true }]],
	])("after %s is the request that was cut short", (_, end) => {
		expect(open(ASK, EDIT, ...end)).toEqual([
			"Interrupted request: Make the parser in src accept trailing commas please",
		]);
	});

	it("includes the steps of the reply before a request that was interrupted at once, but not its question", () => {
		const reply = asks("Shall I commit it? The next big task is to print them as well.");
		const request: Happening = { user: "First tell me which files you have changed so far" };
		expect(open(ASK, EDIT, reply, request, { says: "", stop: "aborted" })).toEqual([
			"Interrupted request: First tell me which files you have changed so far",
			"Still open: Print them as well.",
		]);
	});

	it("is no question that the user answered with a request that was gone into", () => {
		const look: Happening = { tool: "read", args: { path: "src/parser.ts" } };
		const question = asks("Should I see why the printer is slow?");
		const answered = [{ user: "yes, see why it is slow" }, look, { says: "It reads the clock twice." }];
		expect(open(ASK, EDIT, question, ...answered)).toEqual([]);
		expect(open(ASK, EDIT, question, { user: "ls" }, { bash: "ls" }, { says: "src" })).toEqual([
			"Still open: Should I see why the printer is slow?",
		]);
	});

	it("is as much of a request that was cut short as 320 columns hold", () => {
		const user = `Make the parser accept commas, ${"and the printer write them back, ".repeat(20)}please`;
		const [action = ""] = open({ user }, EDIT, { says: "", stop: "aborted" });
		expect(action).toMatch(/^Interrupted request: Make the parser .* …$/);
		expect(action.length).toBeGreaterThan(200);
		expect(action.length).toBeLessThanOrEqual("Interrupted request: ".length + 320);
	});

	it.each([
		[3, ["Still open: Should I commit it?"]],
		[4, []],
	])("is looked for behind four words of small talk, not five: %i and one", (more, actions) => {
		const talk = Array.from({ length: more + 1 }, (): Happening[] => [{ user: "nice" }, { says: "Thanks!" }]);
		expect(open(ASK, EDIT, asks("Should I commit it?"), ...talk.flat())).toEqual(actions);
	});

	it("after small talk is what was open before it, labelled as such", () => {
		expect(open(ASK, EDIT, asks("Should I commit it?"), { user: "nice" }, { says: "Thanks!" })).toEqual([
			"Still open: Should I commit it?",
		]);
	});

	it("after a small word that was aborted is what was open before, not the word", () => {
		expect(
			open(ASK, EDIT, asks("Should I commit it?"), { user: "hm" }, { says: "", stop: "aborted" }),
		).toEqual(["Still open: Should I commit it?"]);
	});

	it("is closed by a deed", () => {
		const deed: Happening = { bash: "git commit -am x", out: "[main 1a2b3c4] x" };
		expect(
			open(ASK, EDIT, asks("Should I commit it?"), { user: "yes" }, deed, { says: "Committed." }),
		).toEqual([]);
	});

	it("is outdated by a deed between it and the small talk", () => {
		expect(
			open(
				ASK,
				asks("Should I commit it?"),
				{ user: "yes" },
				EDIT,
				{ says: "In." },
				{ user: "nice" },
				{ says: "Thanks!" },
			),
		).toEqual([]);
	});

	it("is quoted whole, or cut at a clause", () => {
		const long = `Should I commit it, ${"or wait for the review of the other team, ".repeat(6)}or drop it?`;
		const [action = ""] = open(ASK, EDIT, asks(long));
		expect(action.length).toBeLessThanOrEqual(150);
		expect(action).toMatch(/^Should I commit it, .* …$/);
	});

	it("is nothing in an empty session", () => {
		expect(open()).toEqual([]);
	});
});
