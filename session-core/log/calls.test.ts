import { expect, test } from "vitest";
import { walkBranch } from "./branch.ts";
import { callsOf } from "./calls.ts";
import { sourceOf } from "./session.test-support.ts";
import { slice } from "./timeline/log.test-support.ts";

const BY = { provider: "acme", model: "m-1" };

/** The calls of a branch with these entries, a minute apart. */
const calls = (...given: Record<string, unknown>[]) =>
	callsOf(walkBranch(sourceOf(slice(...given.map((entry) => ({ entry }))).entries)));

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
		at: Date.UTC(2025, 0, 1, 0, 3),
		isWritten: false,
		overhead: 1_000,
		rates: { input: 3 },
	}));

test("a provider with a cache has what was sent last, until its last use", () => {
	const warmed = { type: "usage", kind: "cache_warm", provider: "acme", model: "m-1" };
	expect(calls(prompt(), reply(usage(9, 0, 900)), prompt(), reply(usage(9, 900, 91)), warmed)).toMatchObject({
		context: 1_010,
		cached: 1_000,
		at: Date.UTC(2025, 0, 1, 0, 4),
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
