import { describe, expect, test } from "vitest";
import { type RecordFacts, refusal } from "./make-record.ts";
import { recapOf } from "./record.test-support.ts";

const FACTS: RecordFacts = {
	cause: "end",
	stamp: "m1",
	hasTask: true,
	messages: 8,
	minMessages: 8,
	isInherited: false,
	existing: undefined,
	force: false,
	wantsModel: false,
};
const heuristic = recapOf();
const edited = recapOf({ generator: { type: "user_edited" } });
const llm = recapOf({ generator: { type: "llm", provider: "p", model: "m" } });

describe("a record", () => {
	test.each<[string, Partial<RecordFacts>, string | undefined]>([
		["is written at the end of a session of eight messages", {}, undefined],
		["not of seven", { messages: 7 }, "short"],
		["nor where the setting is 0", { minMessages: 0 }, "off"],
		["nor where nothing was said", { stamp: undefined }, "nothing"],
		["nor where nothing was asked", { hasTask: false }, "nothing"],
		["nor for what a fork has inherited", { isInherited: true }, "inherited"],
		["is written once a state", { existing: heuristic }, "exists"],
		["never over a person's words", { existing: edited }, "edited"],
		["at the end of a headless run, however short", { cause: "job", messages: 2, minMessages: 0 }, undefined],
		["when idle, however short", { cause: "idle", messages: 2, minMessages: 0 }, undefined],
		[
			"when idle, not over one that is there",
			{ cause: "idle", existing: heuristic, wantsModel: true },
			"exists",
		],
		["when asked for, however short", { cause: "typed", messages: 1, minMessages: 0 }, undefined],
		["when asked for in a fork that has said nothing", { cause: "typed", isInherited: true }, undefined],
		["when asked for, once", { cause: "typed", existing: heuristic }, "exists"],
		["again when forced", { cause: "typed", existing: llm, force: true }, undefined],
		[
			"over a person's words only when forced",
			{ cause: "typed", existing: edited, wantsModel: true },
			"edited",
		],
		["over a person's words when forced", { cause: "typed", existing: edited, force: true }, undefined],
		["by a model over one by rules", { cause: "typed", existing: heuristic, wantsModel: true }, undefined],
		["by a model once", { cause: "typed", existing: llm, wantsModel: true }, "exists"],
	])("%s", (_, more, reason) => expect(refusal({ ...FACTS, ...more })).toBe(reason));
});
