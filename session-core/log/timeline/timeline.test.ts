import { describe, expect, it } from "vitest";
import { wantedLanguage } from "../../pi/model/ask.ts";
import { ASK, cwd, DONE, EDIT, type Happening, slice, timelineOf } from "./log.test-support.ts";
import { ownLanguage, readTimeline } from "./timeline.ts";

const ERROR =
	'529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded, try later."},"request_id":"r1"}';

describe("the outcome of a session", () => {
	it.each<[string, Happening[], string]>([
		["nothing was said", [], "done"],
		["the run ended by itself", [ASK, EDIT, DONE], "done"],
		["the reply asks", [ASK, "< Two ways are possible. Which one should it be?"], "waiting"],
		["an analysis ends in an offer", [ASK, "< It is taken twice. If you want, I can patch it."], "done"],
		["work ends in an offer", [ASK, EDIT, "< It is in. If you want, I can add a changelog."], "done"],
		["the user aborted", [ASK, "aborted"], "aborted"],
		["the provider failed", [ASK, { says: "", stop: "error", error: ERROR }], "error"],
		["a call has no result", [ASK, { bash: "npm test", pending: true }], "running"],
		["a request has no answer", [ASK, DONE, "> and now the printer please"], "running"],
		["the reply was cut off", [ASK, { says: "The first", stop: "length" }], "running"],
		["a slash command came last", [ASK, EDIT, DONE, "> /model"], "done"],
		["no request was made", [{ ran: "git diff" }], "done"],
		["the user ran something by hand", [ASK, EDIT, DONE, { ran: "git diff" }], "done"],
	])("%s: %#", (_, happenings, outcome) => expect(timelineOf(happenings).outcome).toBe(outcome));

	it("quotes the message inside a provider's error as the reason for a failure", () =>
		expect(timelineOf([ASK, { says: "", stop: "error", error: ERROR }]).endReason).toBe(
			"529 Overloaded, try later",
		));

	it("includes a reason for an abort only if the log contains more than the word", () => {
		const end = (error: string) => timelineOf([ASK, { says: "", stop: "aborted", error }]).endReason;
		expect(end("Request was aborted.")).toBeUndefined();
		expect(end("The connection was closed")).toBe("The connection was closed");
	});
});

it("is stamped with the last message, not with an entry after it", () => {
	const timeline = timelineOf([ASK, DONE, "name: Commas"]);
	expect(timeline).toMatchObject({ stamp: "e0000001", messages: 2, name: "Commas" });
});

it("numbers the first requests of a long branch before its recent part", () => {
	const opening = slice("> Port the whole scheduler to the new clock, in steps").entries;
	const timeline = readTimeline({ entries: [...opening, ...slice(ASK, DONE).entries] }, { cwd });
	expect(timeline.turns.map(({ number }) => number)).toEqual([1, 2]);
	expect(timeline.turns[0]?.request).toMatch(/^Port the whole scheduler/);
});

const nameFor = (...requests: string[]): string | undefined => {
	const happenings: Happening[] = requests.flatMap((user) => [{ user }, "< All right, that is done now."]);
	return ownLanguage(timelineOf(happenings))?.name;
};

describe("the user's own language", () => {
	it("is the language of the requests, or unknown if they do not show one", () => {
		expect(nameFor("차트 봉 간격을 바꾸면 스케일이 찌그러지는 문제를 고쳐줘")).toBe("Korean");
		expect(nameFor()).toBe(undefined);
		expect(nameFor("`npm test`", "src/parser.ts")).toBe(undefined);
	});

	it("does not depend on a skill or a pasted log", () => {
		const skill = `<skill name="x" location="/s">\n${"You must always read the file and then do what it says. ".repeat(9)}\n</skill>\n\n차트를 고쳐줘 지금 바로`;
		expect(nameFor(skill)).toBe("Korean");
		const log = `빌드가 왜 실패하는지 찾아줘\n\`\`\`\n${"error: the module that you want is not in the list of this build\n".repeat(9)}\`\`\``;
		expect(nameFor(log)).toBe("Korean");
	});

	it("is that of the newest ten requests", () => {
		const korean = Array.from({ length: 30 }, () => "차트를 고쳐줘 지금 바로");
		const english = Array.from(
			{ length: 10 },
			() => "now fix the chart and then test it with the other view",
		);
		expect(nameFor(...korean, ...english)).toBe("English");
	});

	it("is named in the prompt only if the setting names it, and answers are checked against it", () => {
		const own = { script: "Hangul", name: "Korean" } as const;
		expect(wantedLanguage(own, "de")).toEqual({
			language: { name: "German", script: "Latin" },
			hint: "Write in German.",
		});
		expect(wantedLanguage(own, undefined)).toMatchObject({
			language: own,
			hint: "Write in the language of the user's own messages.",
		});
	});
});
