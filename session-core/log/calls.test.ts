import { expect, test } from "vitest";
import { walkBranch } from "./branch.ts";
import { callsOf } from "./calls.ts";
import type { Entry } from "./entry.ts";

const BY = { provider: "acme", model: "m-1" };

/** A branch of these entries, a minute apart. */
function calls(...given: readonly Record<string, unknown>[]) {
	const entries = given.map(
		(fields, index): Entry => ({
			type: "message",
			id: `e${index}`,
			parentId: index === 0 ? null : `e${index - 1}`,
			timestamp: new Date(index * 60_000).toISOString(),
			...fields,
		}),
	);
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	const source = { getLeafEntry: () => entries.at(-1), getEntry: (id: string) => byId.get(id) };
	return callsOf(walkBranch({ ...source, getEntries: () => [...entries] }));
}

const prompt = (text = "go on") => ({ message: { role: "user", content: text } });
const reply = (usage: Record<string, unknown>, by = BY) => ({
	message: { role: "assistant", stopReason: "stop", content: [], ...by, usage },
});
const usage = (input: number, cacheRead = 0, cacheWrite = 0, output = 10) => ({
	...{ input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite },
	cost: { input: input * 3, output: output * 15, cacheRead: cacheRead * 0.5, cacheWrite: cacheWrite * 4 },
});

test("a provider without a cache sends the whole context again", () =>
	expect(calls(prompt("x".repeat(400)), reply(usage(1_100)), prompt(), reply(usage(1_200)))).toEqual({
		context: 1_210,
		cached: 0,
		at: 180_000,
		isWritten: false,
		overhead: 1_000,
		rates: { input: 3 },
	}));

test("a provider with a cache has what was sent last, until its last use", () => {
	const warmed = { type: "usage", kind: "cache_warm", provider: "acme", model: "m-1" };
	expect(calls(prompt(), reply(usage(9, 0, 900)), prompt(), reply(usage(9, 900, 91)), warmed)).toMatchObject({
		context: 1_010,
		cached: 1_000,
		at: 240_000,
		isWritten: true,
		rates: { input: 3, cacheRead: 0.5, cacheWrite: 4 },
	});
});

test("another model than the one that replied has no cache, and its prices are not shown", () => {
	const change = { type: "model_change", provider: "acme", modelId: "m-2" };
	expect(calls(prompt(), reply(usage(9, 900)), change)).toMatchObject({ cached: 0, rates: {}, context: 919 });
});

test("the first reply of a branch that is longer than the walk is found", () => {
	const turns = Array.from({ length: 310 }, () => [prompt(), reply(usage(5_000))]);
	expect(calls(prompt(""), reply(usage(700)), ...turns.flat())?.overhead).toBe(700);
});

const failed = (stopReason: string) => ({ message: { ...reply({ totalTokens: 1 }).message, stopReason } });

test.each<[string, Record<string, unknown>[], number | undefined]>([
	["its parts", [reply({ input: 5, output: 3, cacheRead: 100, cacheWrite: 2 })], 110],
	["the last answer that did not fail", [reply({ totalTokens: 90 }), failed("aborted"), failed("error")], 90],
	["nothing behind a compaction", [reply({ totalTokens: 90 }), { type: "compaction" }, prompt()], undefined],
	["what a model then answers", [{ type: "compaction" }, reply({ totalTokens: 20 })], 20],
	["nothing for figures that are none", [reply({ totalTokens: "many", input: Number.NaN })], undefined],
])("the tokens of the context: %s", (_, entries, expected) =>
	expect(calls(...entries)?.context).toBe(expected),
);
