import { expect, test } from "vitest";
import { recapOf } from "../session-core/recap/record.test-support.ts";
import { recordWhy } from "./refusals.ts";

const READING = { stamp: "m1", hasTask: true, messages: 5, isInherited: false, existing: undefined };
const RECORD = recapOf({ created_at: 0 });

test.each<[string, Parameters<typeof recordWhy>[0], RegExp]>([
	["no request", { reading: { ...READING, hasTask: false } }, /you have not sent a request/],
	["too short", { reading: READING }, /^no recap is saved yet: 5 of 8 messages/],
	["a fork", { reading: { ...READING, messages: 9, isInherited: true } }, /this fork has no new messages/],
	[
		"due",
		{ reading: { ...READING, messages: 9 } },
		/^no recap is saved yet: that happens when the session ends/,
	],
	[
		"written",
		{ reading: { ...READING, existing: RECORD } },
		/^generated without a model on 1970-01-01T00:00Z$/,
	],
	[
		"a person's",
		{ reading: { ...READING, existing: { ...RECORD, generator: { type: "user_edited" } } } },
		/^edited by you/,
	],
])("explains who generated a recap, or why there is none: %s", (_, prepared, expected) => {
	expect(recordWhy(prepared, 8)).toMatch(expected);
});
