import type { Api, Model } from "@mariozechner/pi-ai";
import { expect, test } from "vitest";
import { type AskPorts, askModel, type ModelQuestion } from "./ask.ts";
import type { Candidate } from "./choose-model.ts";
import type { PlannedCall } from "./reserve-cost.ts";
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
	source: "cheap model, same vendor",
});
const usage = { input: 1, output: 1, cost: 0 };
const failed = (reason: "unsupported" | "rate_limited"): SideCallResult => ({
	ok: false,
	reason,
	status: 400,
	usage,
	stage: "sent",
});
const answered: SideCallResult = { ok: true, text: "yes", usage };

async function ask(
	results: SideCallResult[],
	{ question, ports }: { question?: Partial<ModelQuestion>; ports?: Partial<AskPorts> } = {},
) {
	const deadlines: (number | undefined)[] = [];
	const planned: PlannedCall[] = [];
	const settled: SideCallResult[] = [];
	const answer = await askModel(
		{
			state: "m1",
			by: "auto",
			candidates: ["a", "b", "c"].map(candidate),
			request: { systemPrompt: "s", prompt: "p" },
			signal: new AbortController().signal,
			...question,
		},
		{
			call: async ({ deadlineMs }) => {
				deadlines.push(deadlineMs);
				return results.shift() ?? answered;
			},
			budget: {
				reserve: (call) => {
					planned.push(call);
					return { ok: true, settle: (result) => settled.push(result) };
				},
			},
			now: () => 0,
			...ports,
		},
	);
	return { answer, deadlines, planned, settled, models: planned.map(({ model }) => model.id) };
}

test("only the first candidate that answers is called, with a deadline of 20 seconds", async () => {
	const { answer, models, settled, deadlines } = await ask([answered]);
	expect(answer).toEqual({ ok: true, text: "yes", model: "p/a" });
	expect([models, settled, deadlines]).toEqual([["a"], [answered], [20_000]]);
});

test("the next candidate is tried after an unsupported request, but not after a busy one", async () => {
	const { models, planned } = await ask([failed("unsupported"), answered]);
	expect(models).toEqual(["a", "b"]);
	expect(planned[0]?.question).toBe(planned[1]?.question);
	const busy = await ask([failed("rate_limited")]);
	expect(busy.models).toEqual(["a"]);
	expect(busy.answer).toEqual({
		ok: false,
		reason: "rate_limited",
		status: 400,
		detail: undefined,
		model: "p/a",
	});
});

test("all candidates share one deadline", async () => {
	const times = [0, 0, 19_700, 20_000];
	const now = () => times.shift() ?? 99_999;
	const { deadlines } = await ask([failed("unsupported"), failed("unsupported")], { ports: { now } });
	expect(deadlines).toEqual([20_000, 300]);
});

test("no model is called after an abort, without a candidate, or without a reservation", async () => {
	const signal = AbortSignal.abort();
	expect((await ask([], { question: { signal } })).answer).toEqual({
		ok: false,
		reason: "aborted",
		model: "",
	});
	expect((await ask([], { question: { candidates: [] } })).answer).toMatchObject({ reason: "no_model" });
	const budget = { reserve: () => ({ ok: false, reason: "asked" }) as const };
	const { answer, deadlines } = await ask([], { ports: { budget } });
	expect(answer).toEqual({ ok: false, reason: "asked", model: "" });
	expect(deadlines).toEqual([]);
});

test("a call is reserved with its input and its longest answer", async () => {
	const { planned } = await ask([answered]);
	expect(planned).toMatchObject([
		{ state: "m1", by: "auto", characters: 2, maxTokens: 100, deadlineMs: 20_000 },
	]);
});
