import { describe, expect, it } from "vitest";
import { displayWidth } from "../text/clip.ts";
import { cwd, type Happening, timelineOf } from "../timeline/log.test-support.ts";
import { ENGLISH } from "../words/en.ts";
import { chooseHeadline, largerLine } from "./headline.ts";

const EDIT: Happening = { tool: "edit", args: { path: "src/lexer.ts" }, diff: "+ 1 a" };
const timeline = (...happenings: Happening[]) => timelineOf(happenings, { cwd });
const headlineOf = (...happenings: Happening[]): string => chooseHeadline(timeline(...happenings), ENGLISH);
/** The headline of a session with this one request. */
const ofRequest = (user: string): string => headlineOf({ user }, EDIT, { says: "Done." });
const PORT = "Port the scheduler to the new clock and drop the old timers";

describe("a headline", () => {
	it("is the session's name if it has one, without trailing punctuation", () => {
		expect(
			headlineOf({ entry: { type: "session_info", name: "Trailing commas." } }, { user: PORT }, EDIT),
		).toBe("Trailing commas");
	});

	it("is the last substantial request in the user's words, not small talk behind it", () => {
		expect(
			headlineOf(
				{ user: PORT },
				EDIT,
				{ says: "Ported." },
				{ user: "ok thanks" },
				{ says: "You are welcome." },
			),
		).toBe(PORT);
	});

	it("is never that of another request", () => {
		const next = "Write a changelog entry for the release with every visible change";
		const log: Happening[] = [
			{ user: PORT },
			EDIT,
			{ says: "Ported." },
			{ user: next },
			EDIT,
			{ says: "Written." },
		];
		expect(headlineOf(...log)).toBe(next);
		const goal: Happening = { entry: { type: "compaction", summary: `## Goal\n${PORT}` } };
		expect(headlineOf(goal, { user: next }, EDIT, { says: "Written." })).toBe(next);
	});

	it.each([
		["gets a capital", "make the lexer accept commas", "Make the lexer accept commas"],
		["leaves a name as it is", "npm-check must not fail on warnings", "npm-check must not fail on warnings"],
		["loses its full stop", "Make the lexer accept commas.", "Make the lexer accept commas"],
		[
			"loses a word in front of a comma",
			"ok, make the lexer accept the trailing commas of every list that is written in the old syntax",
			"Make the lexer accept the trailing commas of every list that is written in the…",
		],
		[
			"loses marks",
			"Make **the lexer** accept `,` in [lists](https://a.dev)",
			"Make the lexer accept , in lists",
		],
		[
			"shortens paths",
			"Read /code/app/packages/core/src/lexer.ts and say what it drops",
			"Read lexer.ts and say what it drops",
		],
		[
			"keeps the user's language",
			"차트 봉 간격을 바꾸면 스케일이 찌그러지는 문제를 고쳐줘",
			"차트 봉 간격을 바꾸면 스케일이 찌그러지는 문제를 고쳐줘",
		],
		[
			"takes the sentences that fit",
			"Make the lexer accept commas. It must also keep the comments that stand between two items.",
			"Make the lexer accept commas",
		],
		[
			"passes over an interjection",
			"Great! Now make the lexer accept commas in every list, and the printer write them in the same way.",
			"Now make the lexer accept commas in every list …",
		],
		[
			"is without the pasted log",
			"Make the build green again\n```\nerror TS1: x\n```",
			"Make the build green again",
		],
	])("%s", (_, request, headline) => {
		expect(ofRequest(request)).toBe(headline);
	});

	it("names the skill where nothing else was typed", () => {
		expect(ofRequest('<skill name="ship" location="/s">\nDo.\n</skill>')).toBe("ship");
	});

	it("puts a short answer beside the question that it answers", () => {
		expect(
			headlineOf(
				{ user: "hi" },
				{ says: "There are two ways. Shall I keep the old name of the flag?" },
				{ user: "keep the old one" },
				EDIT,
				EDIT,
				{ bash: "make", out: "built" },
				{ says: "Kept." },
			),
		).toBe("keep the old one (replying to “Shall I keep the old name of the flag?”)");
	});

	it("is a longer request behind a question on its own", () => {
		const request = "no, go on as it is, I do it on my own";
		expect(
			headlineOf(
				{ user: PORT },
				EDIT,
				{ says: "There are two ways. Shall I keep the old name of the flag?" },
				{ user: request },
				EDIT,
				{ says: "Kept." },
			),
		).not.toContain("(replying to ");
	});

	it("is empty where nothing was asked", () => {
		expect(headlineOf()).toBe("");
	});

	it.each(["word ".repeat(400), "x".repeat(4_000), "차트를 고쳐줘 ".repeat(300), `("[${"a, (".repeat(300)}`])(
		"fits into 80 columns whatever was asked: %#",
		(request) => {
			expect(displayWidth(ofRequest(request))).toBeLessThanOrEqual(80);
			expect(ofRequest(request)).not.toBe("");
		},
	);
});

describe("the larger work", () => {
	const next = "Write a changelog entry for the release with every visible change";

	it("is an older request, in the user's words", () => {
		const log = timeline({ user: PORT }, EDIT, { says: "Ported." }, { user: next }, EDIT, {
			says: "Written.",
		});
		expect(largerLine(log, next)).toBe(PORT);
	});

	it("is a summary's goal, its first sentence", () => {
		const summary = "## Goal\nMove the queue to SQLite. Keep the API.\n✅ schema";
		const log = timeline({ entry: { type: "compaction", summary } }, { user: next }, EDIT, {
			says: "Written.",
		});
		expect(largerLine(log, next)).toBe("Move the queue to SQLite.");
	});

	it("is cut at a clause where it is longer than 130 columns", () => {
		const long = `${PORT}, ${"then each of the modules that still wait for one, ".repeat(4)}and the docs`;
		const log = timeline({ user: long }, EDIT, { says: "Ported." }, { user: next }, EDIT);
		const line = largerLine(log, next) ?? "";
		expect(line).toMatch(/^Port the scheduler .* …$/);
		expect(displayWidth(line)).toBeLessThanOrEqual(130);
	});

	it("is not said where it is the headline itself", () => {
		const log = timeline(
			{ user: PORT },
			EDIT,
			{ says: "Ported." },
			{ user: `${PORT} now, in every module` },
			EDIT,
		);
		expect(largerLine(log, PORT)).toBeUndefined();
	});

	it("is nothing in a session of one request", () => {
		expect(largerLine(timeline({ user: PORT }, EDIT), PORT)).toBeUndefined();
	});
});
