import type { Api, Model } from "@mariozechner/pi-ai";
import { expect, test } from "vitest";
import { type AskPorts, askInOrder, type CallPlan } from "./ask.ts";
import type { Candidate } from "./policy.ts";
import type { SideCallResult } from "./side-call.ts";

const candidate = (id: string): Candidate => ({
	model: {
		id,
		name: id,
		api: "openai-completions",
		provider: "p",
		baseUrl: "http://127.0.0.1",
		reasoning: false,
		input: ["text"],
		cost: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
		contextWindow: 1_000,
		maxTokens: 100,
	} satisfies Model<Api>,
	source: "cheap sibling",
});
const candidates = ["a", "b", "c"].map(candidate);
const usage = { input: 1, output: 1, cost: 0 };
const failed = (reason: "unsupported" | "rate_limited"): SideCallResult => ({
	ok: false,
	reason,
	usage,
	stage: "sent",
});
const answered: SideCallResult = { ok: true, text: "yes", usage };

async function ask(
	results: SideCallResult[],
	more: Partial<AskPorts> = {},
	signal = new AbortController().signal,
) {
	const calls: [string, number | undefined][] = [];
	const spent: string[] = [];
	const asked = await askInOrder(
		candidates,
		{ systemPrompt: "s", prompt: "p", signal, deadlineMs: 1_000 },
		{
			call: async (request) => {
				calls.push([request.model.id, request.deadlineMs]);
				return results.shift() ?? answered;
			},
			book: ({ name }) => ({ ok: true, settle: () => spent.push(name) }),
			now: () => 0,
			...more,
		},
	);
	return { asked, calls, spent };
}

test("the first candidate that answers is the only one asked", async () => {
	const { asked, spent } = await ask([answered]);
	expect(asked).toEqual({ model: "p/a", result: answered });
	expect(spent).toEqual(["p/a"]);
});

test("the next one is asked where a model cannot do it, and not where it is only busy", async () => {
	expect((await ask([failed("unsupported"), answered])).spent).toEqual(["p/a", "p/b"]);
	const { asked, spent } = await ask([failed("rate_limited")]);
	expect(spent).toEqual(["p/a"]);
	expect(asked?.result).toMatchObject({ reason: "rate_limited" });
});

test("they have twenty seconds where nobody says how long", async () => {
	const deadlines: (number | undefined)[] = [];
	await askInOrder(
		candidates,
		{ systemPrompt: "s", prompt: "p", signal: new AbortController().signal },
		{
			call: async ({ deadlineMs }) => {
				deadlines.push(deadlineMs);
				return answered;
			},
			book: () => ({ ok: true, settle: () => undefined }),
			now: () => 0,
		},
	);
	expect(deadlines).toEqual([20_000]);
});

test("all share one deadline", async () => {
	const times = [0, 0, 700, 1_000];
	const { calls } = await ask([failed("unsupported"), failed("unsupported")], {
		now: () => times.shift() ?? 9_999,
	});
	expect(calls).toEqual([
		["a", 1_000],
		["b", 300],
	]);
});

test("nobody is asked after an abort, and none at all is said so", async () => {
	expect((await ask([failed("unsupported")], {}, AbortSignal.abort())).spent).toEqual(["p/a"]);
	const ports: AskPorts = { call: async () => answered, book: () => ({ ok: true, settle: () => undefined }) };
	const signal = new AbortController().signal;
	expect(await askInOrder([], { systemPrompt: "s", prompt: "p", signal }, ports)).toBeUndefined();
});

test("a call that must not be booked is not made", async () => {
	const { asked, calls } = await ask([answered], { book: () => ({ ok: false, reason: "uncounted" }) });
	expect(calls).toEqual([]);
	expect(asked).toEqual({ model: "p/a", result: { ok: false, reason: "uncounted" } });
});

test("a call is booked by what it sends and by the longest answer it may get", async () => {
	const plans: CallPlan[] = [];
	await ask([answered], {
		book: (plan) => {
			plans.push(plan);
			return { ok: true, settle: () => undefined };
		},
	});
	expect(plans).toMatchObject([{ name: "p/a", characters: 2, maxTokens: 100, deadlineMs: 1_000 }]);
});
