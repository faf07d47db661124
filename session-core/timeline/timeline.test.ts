import { describe, expect, it } from "vitest";
import { wantedLanguage } from "../model/ask.ts";
import { ASK, cwd, DONE, EDIT, type Happening, slice, timelineOf } from "./log.test-support.ts";
import { ownLanguage, readTimeline } from "./timeline.ts";

const ERROR =
	'529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded, try later."},"request_id":"r1"}';

describe("the outcome of a session", () => {
	it.each<[string, Happening[], string]>([
		["nothing was said", [], "done"],
		["the run ended by itself", [ASK, EDIT, DONE], "done"],
		["the reply asks", [ASK, { says: "Two ways are possible. Which one should it be?" }], "waiting"],
		[
			"an analysis ends in an offer",
			[ASK, { says: "The lock is taken twice. If you want, I can patch it." }],
			"done",
		],
		[
			"finished work ends in an offer",
			[ASK, EDIT, { says: "It is in. If you want, I can add a changelog." }],
			"done",
		],
		["the user aborted", [ASK, { says: "", stop: "aborted" }], "aborted"],
		["the provider failed", [ASK, { says: "", stop: "error", error: ERROR }], "error"],
		["a call has no result", [ASK, { bash: "npm test", pending: true }], "running"],
		["a request has no answer", [ASK, DONE, { user: "and now the printer please" }], "running"],
		["the reply was cut off", [ASK, { says: "The first", stop: "length" }], "running"],
		["a slash command came last", [ASK, EDIT, DONE, { user: "/model" }], "done"],
		["no request was made", [{ ran: "git diff" }], "done"],
		["the user ran something by hand", [ASK, EDIT, DONE, { ran: "git diff" }], "done"],
	])("%s: %#", (_, happenings, outcome) => {
		expect(timelineOf(happenings).outcome).toBe(outcome);
	});

	it("names a failure by the sentence inside the provider's answer", () => {
		expect(timelineOf([ASK, { says: "", stop: "error", error: ERROR }]).endReason).toBe(
			"529 Overloaded, try later",
		);
	});

	it("gives no reason for an abort but a reason of its own", () => {
		const end = (error: string) => timelineOf([ASK, { says: "", stop: "aborted", error }]).endReason;
		expect(end("Request was aborted.")).toBeUndefined();
		expect(end("The connection was closed")).toBe("The connection was closed");
	});
});

it("stamps with the last message, not with what is set behind it", () => {
	const timeline = timelineOf([ASK, DONE, { entry: { type: "session_info", name: "Commas" } }]);
	expect(timeline).toMatchObject({ stamp: "e1", messages: 2, name: "Commas" });
});

it("reads the opening of a long branch in front of its recent part", () => {
	const opening = slice({ user: "Port the whole scheduler to the new clock, in steps" }).entries;
	const timeline = readTimeline({ entries: [...opening, ...slice(ASK, DONE).entries] }, { cwd });
	expect(timeline.turns.map(({ number }) => number)).toEqual([1, 2]);
	expect(timeline.turns[0]?.request).toMatch(/^Port the whole scheduler/);
});

const OTHER = "Write in the language of the user's own requests.";
const hintFor = (...requests: string[]): string => {
	const happenings: Happening[] = requests.flatMap((user) => [
		{ user },
		{ says: "All right, that is done now." },
	]);
	return wantedLanguage(ownLanguage(timelineOf(happenings)), undefined).hint;
};

describe("the language hint", () => {
	it("names the language of the requests, and none if they do not show one", () => {
		const korean = "차트 봉 간격을 바꾸면 스케일이 찌그러지는 문제를 고쳐줘";
		expect(hintFor(korean)).toBe("Write in Korean, the language of the user's own requests.");
		expect(hintFor()).toBe(OTHER);
		expect(hintFor("`npm test`", "src/parser.ts")).toBe(OTHER);
	});

	it("is not told by a skill, a host's data or a pasted log", () => {
		const skill = `<skill name="x" location="/s">\n${"You must always read the file and then do what it says. ".repeat(9)}\n</skill>\n\n차트를 고쳐줘 지금 바로`;
		expect(hintFor(skill)).toMatch(/Korean/);
		const log = `빌드가 왜 실패하는지 찾아줘\n\`\`\`\n${"error: the module that you want is not in the list of this build\n".repeat(9)}\`\`\``;
		expect(hintFor(log)).toMatch(/Korean/);
	});

	it("is told by the newest ten requests", () => {
		const korean = Array.from({ length: 30 }, () => "차트를 고쳐줘 지금 바로");
		const english = Array.from({ length: 10 }, () => "now fix the chart in the other view as well");
		expect(hintFor(...korean, ...english)).toMatch(/English/);
	});

	it("is the setting, whatever the user writes; what an answer is held against follows", () => {
		const own = { script: "Hangul", name: "Korean" } as const;
		expect(wantedLanguage(own, "de")).toEqual({
			language: { name: "German", script: "Latin" },
			hint: "Write in German.",
		});
		expect(wantedLanguage(own, undefined)).toMatchObject({
			language: own,
			hint: expect.stringMatching(/Korean/),
		});
		expect(wantedLanguage(undefined, undefined)).toEqual({ language: undefined, hint: OTHER });
	});
});
