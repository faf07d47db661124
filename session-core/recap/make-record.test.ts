import { expect, test } from "vitest";
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

test.each<[string, Partial<RecordFacts>, string | undefined]>([
	["a session of eight messages ends", {}, undefined],
	["a session of seven messages ends", { messages: 7 }, "short"],
	["a session ends and the setting is 0", { minMessages: 0 }, "off"],
	["nothing was said", { stamp: undefined }, "nothing"],
	["nothing was requested", { hasTask: false }, "nothing"],
	["a fork has no messages of its own", { isInherited: true }, "inherited"],
	["the state has a record", { existing: heuristic }, "exists"],
	["a person edited the record", { existing: edited }, "edited"],
	["a short headless run ends", { cause: "job", messages: 2, minMessages: 0 }, undefined],
	["a short session is idle", { cause: "idle", messages: 2, minMessages: 0 }, undefined],
	["an idle session has a record", { cause: "idle", existing: heuristic, wantsModel: true }, "exists"],
	["the user requests one for a short session", { cause: "typed", messages: 1, minMessages: 0 }, undefined],
	["the user requests one in a fork without messages", { cause: "typed", isInherited: true }, undefined],
	["the user requests a second one", { cause: "typed", existing: heuristic }, "exists"],
	["the user forces a second one", { cause: "typed", existing: llm, force: true }, undefined],
	["a model's is requested after editing", { cause: "typed", existing: edited, wantsModel: true }, "edited"],
	["the user forces one after editing", { cause: "typed", existing: edited, force: true }, undefined],
	["a model's is requested", { cause: "typed", existing: heuristic, wantsModel: true }, undefined],
	["the user requests a model's second one", { cause: "typed", existing: llm, wantsModel: true }, "exists"],
])("whether a record is made if %s", (_, more, reason) =>
	expect(refusal({ ...FACTS, ...more })).toBe(reason),
);
