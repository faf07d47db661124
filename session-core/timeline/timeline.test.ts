import { describe, expect, it } from "vitest";
import { ASK, cwd, DONE, EDIT, type Happening, slice, timelineOf } from "./log.test-support.ts";
import { readTimeline } from "./timeline.ts";

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
	const timeline = readTimeline({ ...slice(ASK, DONE), opening, truncated: true }, { cwd });
	expect(timeline.turns.map(({ number }) => number)).toEqual([1, 2]);
	expect(timeline.turns[0]?.request).toMatch(/^Port the whole scheduler/);
});
