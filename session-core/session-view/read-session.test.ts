import { expect, test } from "vitest";
import type { Entry } from "../session-file/entry.ts";
import { contextTokens } from "../session-view/read-session.ts";

const entry = (fields: Record<string, unknown>): Entry => ({
	type: "message",
	id: "e",
	parentId: null,
	...fields,
});
const answer = (usage: unknown, stopReason = "stop") =>
	entry({ message: { role: "assistant", stopReason, usage } });
const prompt = entry({ message: { role: "user", content: "go" } });

test.each<[string, Entry[], number | undefined]>([
	["nothing said", [], undefined],
	[
		"the last answer counts",
		[answer({ totalTokens: 10 }), prompt, answer({ totalTokens: 150 }), prompt],
		150,
	],
	[
		"its parts, where there is no total",
		[answer({ input: 5, output: 3, cacheRead: 100, cacheWrite: 2 })],
		110,
	],
	[
		"an aborted or failed one says nothing",
		[answer({ totalTokens: 90 }), answer({ totalTokens: 1 }, "aborted"), answer({}, "error")],
		90,
	],
	[
		"behind a compaction it is not known",
		[answer({ totalTokens: 90 }), entry({ type: "compaction" }), prompt],
		undefined,
	],
	["until a model answers", [entry({ type: "compaction" }), answer({ totalTokens: 20 })], 20],
	["figures that are none", [answer({ totalTokens: "many", input: Number.NaN })], undefined],
])("the tokens of the context: %s", (_, entries, expected) => expect(contextTokens(entries)).toBe(expected));
