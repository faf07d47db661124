import type {
	Api,
	AssistantMessage,
	AssistantMessageEvent,
	Context,
	Model,
	SimpleStreamOptions,
} from "@mariozechner/pi-ai";
import { describe, expect, test } from "vitest";
import {
	type Candidate,
	cheaperModel,
	chooseModels,
	describeUnusable,
	type HostModels,
	type ModelCatalog,
	mayTitle,
	type NamedModel,
	parseSpec,
} from "./choose-model.ts";
import { describeFailure } from "./failure.ts";
import { modelOf } from "./model.test-support.ts";
import { type ModelGateway, type SideCallRequest, sideCall } from "./side-call.ts";

function model(spec: string, output: number, more: Partial<Model<Api>> = {}): Model<Api> {
	const { provider, id } = parseSpec(spec) ?? { provider: "p", id: spec };
	const cost = { input: output / 4, output, cacheRead: 0, cacheWrite: 0 };
	return modelOf({ id, provider, cost, ...more });
}

describe("a model spec", () => {
	test.each([
		["openrouter/qwen/qwen3", { provider: "openrouter", id: "qwen/qwen3" }],
		[" anthropic/opus ", { provider: "anthropic", id: "opus" }],
		["opus", undefined],
		["/opus", undefined],
		["anthropic/", undefined],
	])("%j", (text, spec) => expect(parseSpec(text)).toEqual(spec));
});

const opus = model("anthropic/opus", 25);
const haiku = model("anthropic/haiku", 5);
const mini = model("anthropic/mini", 4);
const qwen = model("openrouter/qwen/qwen3", 1);
const unpriced = model("anthropic/auto", -4_000_000);

function host(active: Model<Api>, listed: Model<Api>[] = [], without: Model<Api>[] = []): HostModels {
	const all = [opus, haiku, mini, qwen, unpriced, active];
	const modelRegistry: ModelCatalog = {
		find: (provider, id) => all.find((known) => known.provider === provider && known.id === id),
		getAll: () => [opus, haiku, mini, qwen, unpriced],
		hasConfiguredAuth: (known) => !without.includes(known),
	};
	return { model: active, modelRegistry, scopedModels: listed.map((one) => ({ model: one })) };
}
const named = (specs: Readonly<Record<string, string>>): NamedModel[] =>
	Object.entries(specs).map(([source, spec]) => ({ source, spec }));
const tried = (specs: Readonly<Record<string, string>>, known: HostModels) =>
	chooseModels(named(specs), known).candidates.map(({ model: { id }, source }) => `${id} (${source})`);

describe("which models are tried", () => {
	test.each<[string, Record<string, string>, HostModels, string[]]>([
		["without a choice, only the active model", {}, host(opus), ["opus (active model)"]],
		[
			"those that the user named, then the user's list, then the active model, each once",
			{
				"--recap-model": "openrouter/qwen/qwen3",
				"recap.model": "anthropic/mini",
				fastModel: "anthropic/mini",
				"/recap model": "anthropic/auto",
			},
			host(opus, [opus, haiku]),
			[
				"qwen/qwen3 (--recap-model)",
				"mini (recap.model)",
				"auto (/recap model)",
				"haiku (your model list)",
				"opus (active model)",
			],
		],
		[
			"the cheapest of the list",
			{},
			host(opus, [opus, mini, haiku]),
			["mini (your model list)", "opus (active model)"],
		],
		["never another provider of the list", {}, host(opus, [qwen]), ["opus (active model)"]],
		["never one without a price from the list", {}, host(opus, [unpriced]), ["opus (active model)"]],
		[
			"one that costs nothing, if the user listed it",
			{},
			host(opus, [haiku, model("anthropic/free", 0)]),
			["free (your model list)", "opus (active model)"],
		],
		[
			"one of the list without credentials is left out",
			{},
			host(opus, [mini, haiku], [mini]),
			["haiku (your model list)", "opus (active model)"],
		],
		[
			"the active model first if it is the cheapest",
			{},
			host(mini, [mini, haiku]),
			["mini (your model list)"],
		],
	])("%s", (_, specs, known, expected) => expect(tried(specs, known)).toEqual(expected));

	test("pi 0.73 has no list", () => {
		const { scopedModels: _, ...old } = host(opus, [haiku]);
		expect(tried({}, old)).toEqual(["opus (active model)"]);
	});

	test("the placeholder that the host uses without a model is never called", () => {
		expect(chooseModels([], { ...host(opus), model: model("unknown/unknown", 0) }).candidates).toEqual([]);
	});

	test("an unknown model and one without credentials are skipped and reported", () => {
		const choice = chooseModels(
			named({ "--recap-model": "anthropic/hiaku", "recap.model": "anthropic/haiku" }),
			host(opus, [], [haiku]),
		);
		expect(choice.candidates.map(({ source }) => source)).toEqual(["active model"]);
		expect(choice.unusable.map(describeUnusable)).toEqual([
			'--recap-model: unknown model "anthropic/hiaku". Did you mean anthropic/haiku, anthropic/opus, anthropic/mini?',
			'recap.model: no credentials for "anthropic/haiku". Use /login or set the provider\'s key.',
		]);
	});
});

describe("a title is requested automatically", () => {
	const local = { baseUrl: "http://localhost:11434/v1" };
	const cloud = { baseUrl: "https://api.example.com/v1" };
	test.each<[boolean, Candidate["source"], Model<Api>]>([
		// 400 tokens at 40 / 4 and 20 tokens at 40: 0.0048.
		[true, "active model", model("p/frontier", 40)],
		[false, "active model", model("p/dearer", 50)],
		[false, "fastModel", model("p/dearer", 50)],
		[true, "--title-model", model("p/dearer", 50)],
		[true, "title.model", model("p/dearer", 50)],
		[true, "active model", model("p/llama", 0, local)],
		[true, "active model", model("p/llama", 0, { baseUrl: "http://192.168.1.7:8000" })],
		[true, "active model", model("p/llama", 0, { baseUrl: "http://gpu:8000" })],
		[false, "active model", model("p/plan", 0, cloud)],
		[true, "your model list", model("p/free", 0, cloud)],
		[false, "your model list", unpriced],
	])("%s: %s %j", (may, source, one) => expect(mayTitle({ model: one, source })).toBe(may));
});

describe("a cheaper model is suggested", () => {
	const suggestion = (active: string, others: string[]) => {
		const models = [`${active}`, ...others].map((text) => {
			const [spec = "", price] = text.split(" ");
			return model(spec, Number(price));
		});
		const [first = opus] = models;
		const catalog = { ...host(first).modelRegistry, getAll: () => models };
		return cheaperModel(first, catalog)?.id;
	};
	test.each<[string, string, string[], string | undefined]>([
		[
			"of the newest release rather than the cheapest",
			"anthropic/claude-opus-5-5 25",
			["anthropic/claude-haiku-4-5 5", "anthropic/claude-haiku-5-5 0.5", "anthropic/claude-3-haiku 0.2"],
			"claude-haiku-5-5",
		],
		[
			"of the same region",
			"amazon-bedrock/eu.anthropic.claude-opus-4-7 25",
			[
				"amazon-bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0 1",
				"amazon-bedrock/anthropic.claude-haiku-4-5-20251001-v1:0 1",
				"amazon-bedrock/eu.anthropic.claude-haiku-4-5-20251001-v1:0 5",
			],
			"eu.anthropic.claude-haiku-4-5-20251001-v1:0",
		],
		[
			"of the same deployment",
			"vertex/claude-opus@europe-west1 25",
			["vertex/claude-haiku@us-east5 5"],
			undefined,
		],
		[
			"not if the region cannot be told",
			"amazon-bedrock/arn:aws:bedrock:eu-west-1:1:profile/x 25",
			["amazon-bedrock/amazon.nova 1"],
			undefined,
		],
		["not of another provider", "anthropic/opus 25", ["openrouter/haiku 1"], undefined],
		["not if it costs more than half", "anthropic/opus 25", ["anthropic/sonnet 15"], undefined],
		[
			"not if its price is unknown",
			"anthropic/opus 25",
			["anthropic/auto -1", "anthropic/free 0"],
			undefined,
		],
		[
			"of the same family",
			"openrouter/openai/gpt-5.2 14",
			[
				"openrouter/mistralai/mistral-nemo 0.04",
				"openrouter/openai/gpt-audio-mini 2",
				"openrouter/openai/gpt-5.2-mini 2",
			],
			"openai/gpt-5.2-mini",
		],
	])("%s", (_, active, others, expected) => expect(suggestion(active, others)).toBe(expected));
});

test("a failure is described with the provider's status and message, if known", () => {
	const busy = { reason: "provider_error", status: 429, detail: "slow down." } as const;
	expect(describeFailure(busy, "p/m")).toBe(
		"p/m failed (429: slow down). Try again later, or choose another model.",
	);
	expect(describeFailure({ reason: "provider_error", status: 503, detail: "" }, "p/m")).toContain("(503).");
});

function message(more: Partial<AssistantMessage>): AssistantMessage {
	return {
		role: "assistant",
		content: [{ type: "text", text: "hello" }],
		api: "openai-completions",
		provider: "p",
		model: "m",
		usage: {
			input: 10,
			output: 5,
			cacheRead: 0,
			cacheWrite: 0,
			totalTokens: 15,
			cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.25 },
		},
		stopReason: "stop",
		timestamp: 0,
		...more,
	};
}

/** A gateway as in newer hosts that records requests. */
function gateway(answer: (signal: AbortSignal | undefined) => Promise<AssistantMessage>) {
	const requests: { context: Context; options: SimpleStreamOptions }[] = [];
	const it: ModelGateway = {
		streamSimple: (_, context, options) => {
			requests.push({ context, options });
			return { result: () => answer(options.signal) };
		},
	};
	return { it, requests };
}

const ask = (it: ModelGateway, more: Partial<SideCallRequest> = {}) =>
	sideCall(it, {
		model: model("p/m", 1),
		systemPrompt: "s",
		prompt: "u",
		by: "auto",
		sessionId: "s1",
		deadlineMs: 20_000,
		effort: { maxTokens: 300 },
		signal: new AbortController().signal,
		...more,
	});

describe("a side call", () => {
	test("is one request without temperature, tools, cache writes or retries", async () => {
		const { it, requests } = gateway(async () => message({}));
		expect(await ask(it)).toEqual({ ok: true, text: "hello", usage: { input: 10, output: 5, cost: 0.25 } });
		expect(requests).toHaveLength(1);
		expect(requests[0]?.options).toMatchObject({
			maxTokens: 300,
			maxRetries: 0,
			sessionId: "s1",
			disableContinuation: true,
		});
		expect(requests[0]?.options).not.toHaveProperty("temperature");
		expect(requests[0]?.context.tools).toBeUndefined();
	});

	test("is billed by GitHub Copilot as the agent's, unless the user typed it", async () => {
		const { it, requests } = gateway(async () => message({}));
		const copilot = model("github-copilot/m", 1);
		await ask(it, { model: copilot, by: "auto" });
		await ask(it, { model: copilot, by: "typed" });
		await ask(it, { by: "auto" });
		expect(requests.map(({ options }) => options.headers)).toEqual([
			{ "X-Initiator": "agent" },
			undefined,
			undefined,
		]);
	});

	test("does not accept hidden reasoning as an answer", async () => {
		const { it } = gateway(async () => message({ content: [{ type: "thinking", thinking: "secret" }] }));
		expect(await ask(it)).toMatchObject({ ok: false, reason: "empty" });
	});

	test("ends a stream that does not end by itself", async () => {
		const partial = message({ content: [{ type: "text", text: "<recap>ab" }] });
		const event: AssistantMessageEvent = {
			type: "text_delta",
			contentIndex: 0,
			delta: "x".repeat(1_000),
			partial,
		};
		let sent = 0;
		let stopped: AbortSignal | undefined;
		const endless: ModelGateway = {
			streamSimple: (_, __, { signal }) => {
				stopped = signal;
				return {
					result: () => Promise.reject(new Error("aborted")),
					async *[Symbol.asyncIterator]() {
						for (; !signal?.aborted && sent < 10_000; sent++) yield event;
					},
				};
			},
		};
		expect(await ask(endless)).toMatchObject({ ok: false, reason: "too_long" });
		expect(stopped?.aborted).toBe(true);
		expect(sent).toBeLessThan(100);
	});

	test("reports an answer that ends at the maximum output", async () => {
		const ends = (text: string) =>
			gateway(async () => message({ content: [{ type: "text", text }], stopReason: "length" }));
		expect(await ask(ends("").it)).toMatchObject({ ok: false, reason: "cut_off" });
		expect(await ask(ends("Hm.").it)).toMatchObject({ ok: true, isCutOff: true });
	});

	test("returns a provider's error or exception as a value", async () => {
		expect(await ask(gateway(async () => Promise.reject(new Error("401"))).it)).toMatchObject({
			reason: "no_credentials",
		});
		const failing = gateway(async () => message({ stopReason: "error", errorMessage: "500 \x1b[31mboom" }));
		expect(await ask(failing.it)).toMatchObject({
			ok: false,
			reason: "provider_error",
			status: 500,
			detail: "boom",
		});
	});

	test("ends at the deadline and at the user's abort even if the provider does not", async () => {
		const deaf = () => gateway(() => new Promise<AssistantMessage>(() => undefined)).it;
		expect(await ask(deaf(), { deadlineMs: 5 })).toMatchObject({ ok: false, reason: "timeout" });
		const controller = new AbortController();
		const pending = ask(deaf(), { signal: controller.signal });
		controller.abort();
		expect(await pending).toMatchObject({ ok: false, reason: "aborted" });
	});

	test("fails if the host has no credentials for the model", async () => {
		const none: ModelGateway = {
			getApiKeyAndHeaders: async () => ({ ok: false, error: "nothing configured" }),
		};
		expect(await ask(none)).toMatchObject({ ok: false, reason: "no_credentials" });
	});
});

test("an API key in place of a model is redacted", () => {
	const key = `sk-ant-api03-${"AbCd1234".repeat(6)}`;
	const line = describeUnusable({ spec: `${key}/x`, source: "fastModel", near: [] });
	expect(line).not.toContain(key);
	expect(line).toContain("[redacted]");
});
