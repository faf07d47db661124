import type {
	Api,
	AssistantMessage,
	AssistantMessageEvent,
	Context,
	Model,
	SimpleStreamOptions,
} from "@mariozechner/pi-ai";
import { describe, expect, test } from "vitest";
import { rowsOf } from "../../../test/support/table.ts";
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

test.each([
	["openrouter/qwen/qwen3", { provider: "openrouter", id: "qwen/qwen3" }],
	[" anthropic/opus ", { provider: "anthropic", id: "opus" }],
	["opus", undefined],
	["/opus", undefined],
	["anthropic/", undefined],
])("the model spec %j is read", (text, spec) => expect(parseSpec(text)).toEqual(spec));

const PRICES = {
	"anthropic/opus": 25,
	"anthropic/haiku": 5,
	"anthropic/mini": 4,
	"anthropic/free": 0,
	"anthropic/auto": -4_000_000,
	"openrouter/qwen/qwen3": 1,
};
const KNOWN = Object.entries(PRICES).map(([spec, output]) => model(spec, output));
const modelNamed = (id: string) => KNOWN.find((one) => one.id === id) ?? model(id, 1);
const modelsIn = (list: string) => list.split(", ").filter(Boolean).map(modelNamed);

function host(active: string, listed = "", without = ""): HostModels {
	const locked = modelsIn(without);
	const modelRegistry: ModelCatalog = {
		find: (provider, id) => KNOWN.find((known) => known.provider === provider && known.id === id),
		getAll: () => KNOWN.filter(({ id }) => id !== "free"),
		hasConfiguredAuth: (known) => !locked.includes(known),
	};
	const scopedModels = modelsIn(listed).map((one) => ({ model: one }));
	return { model: modelNamed(active), modelRegistry, scopedModels };
}
const named = (specs: Readonly<Record<string, string>>): NamedModel[] =>
	Object.entries(specs).map(([source, spec]) => ({ source, spec }));
const sourcesOf = (chosen: readonly NamedModel[], known: HostModels) =>
	chooseModels(chosen, known).candidates.map(({ model: { id }, source }) => `${id} (${source})`);

/**
 * Columns: name, active model, user's list, models without credentials, models that are tried before
 * the active model.
 */
const LISTS = `
without a list, only the active model | opus | | |
the cheapest of the list | opus | opus, mini, haiku | | mini
never another provider of the list | opus | qwen/qwen3 | |
never one without a price from the list | opus | auto | |
one that costs nothing, if the user listed it | opus | haiku, free | | free
never one of the list without credentials | opus | mini, haiku | mini | haiku
`;

describe("which models are tried", () => {
	test.each(rowsOf(LISTS))("%s", (_, active = "", listed, without, first) => {
		const expected = [...(first ? [`${first} (your model list)`] : []), `${active} (active model)`];
		expect(sourcesOf([], host(active, listed, without))).toEqual(expected);
	});

	test("those that the user named, then the user's list, then the active model, each once", () => {
		const specs = {
			"--recap-model": "openrouter/qwen/qwen3",
			"recap.model": "anthropic/mini",
			fastModel: "anthropic/mini",
			"/recap model": "anthropic/auto",
		};
		expect(sourcesOf(named(specs), host("opus", "opus, haiku"))).toEqual([
			"qwen/qwen3 (--recap-model)",
			"mini (recap.model)",
			"auto (/recap model)",
			"haiku (your model list)",
			"opus (active model)",
		]);
		expect(sourcesOf([], host("mini", "mini, haiku"))).toEqual(["mini (your model list)"]);
	});

	test("pi 0.73 has no list", () => {
		const { scopedModels: _, ...old } = host("opus", "haiku");
		expect(sourcesOf([], old)).toEqual(["opus (active model)"]);
	});

	test("the placeholder that the host uses without a model is never called", () =>
		expect(chooseModels([], { ...host("opus"), model: model("unknown/unknown", 0) }).candidates).toEqual([]));

	test("an unknown model and one without credentials are skipped and reported", () => {
		const choice = chooseModels(
			named({ "--recap-model": "anthropic/hiaku", "recap.model": "anthropic/haiku" }),
			host("opus", "", "haiku"),
		);
		expect(choice.candidates.map(({ source }) => source)).toEqual(["active model"]);
		expect(choice.unusable.map(describeUnusable)).toEqual([
			'--recap-model: unknown model "anthropic/hiaku". Did you mean anthropic/haiku, anthropic/opus, anthropic/mini?',
			'recap.model: no credentials for "anthropic/haiku". Type /login or set the provider\'s API key.',
		]);
	});
});

describe("a title is requested automatically", () => {
	const local = { baseUrl: "http://localhost:11434/v1" };
	const cloud = { baseUrl: "https://api.example.com/v1" };
	test.each<[boolean, Candidate["source"], Model<Api>]>([
		// The title costs 0.0048: 400 input tokens at 10 per million, and 20 output tokens at 40 per
		// million.
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
		[false, "your model list", modelNamed("auto")],
	])("%s: %s %j", (may, source, one) => expect(mayTitle({ model: one, source })).toBe(may));
});

/** Columns: name, active model, other models with the prices of their output, suggested model. */
const SUGGESTIONS = `
of the newest release rather than the cheapest | a/opus-5-5 25 | a/haiku-4-5 5, a/haiku-5-5 0.5, a/3-haiku 0.2 | haiku-5-5
of the same region | b/eu.x.opus-4-7 25 | b/us.x.haiku-4-5-v1:0 1, b/x.haiku-4-5-v1:0 1, b/eu.x.haiku-4-5-v1:0 5 | eu.x.haiku-4-5-v1:0
of the same deployment | v/opus@europe-west1 25 | v/haiku@us-east5 5 |
not if the region is unknown | b/arn:aws:bedrock:eu-west-1:1:profile/x 25 | b/amazon.nova 1 |
not of another provider | a/opus 25 | o/haiku 1 |
not if it costs more than half | a/opus 25 | a/sonnet 15 |
not if its price is unknown | a/opus 25 | a/auto -1, a/free 0 |
of the same family | o/openai/gpt-5.2 14 | o/mistral/nemo 0.04, o/openai/gpt-audio-mini 2, o/openai/gpt-5.2-mini 2 | openai/gpt-5.2-mini
`;

test.each(rowsOf(SUGGESTIONS))("a cheaper model is suggested %s", (_, active, others, expected = "") => {
	const models = `${active}, ${others}`.split(", ").map((text) => {
		const [spec = "", price] = text.split(" ");
		return model(spec, Number(price));
	});
	const catalog: ModelCatalog = { ...host("opus").modelRegistry, getAll: () => models };
	expect(cheaperModel(models[0] ?? modelNamed("opus"), catalog)?.id ?? "").toBe(expected);
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

/** A gateway like the one in newer hosts, which records the requests that it receives. */
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

	const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });
	test.each<[string, Partial<AssistantMessage>, object]>([
		["hidden reasoning", { content: [{ type: "thinking", thinking: "x" }] }, { ok: false, reason: "empty" }],
		["no text at the maximum", { ...text(""), stopReason: "length" }, { ok: false, reason: "cut_off" }],
		["text at the maximum output", { ...text("Hm."), stopReason: "length" }, { ok: true, isCutOff: true }],
		[
			"a provider's error",
			{ stopReason: "error", errorMessage: "500 \x1b[31mno" },
			{ ok: false, status: 500, detail: "no" },
		],
	])("reports %s as a value", async (_, answer, expected) => {
		expect(await ask(gateway(async () => message(answer)).it)).toMatchObject(expected);
	});

	test("reports an exception and missing credentials as values", async () => {
		const throwing = gateway(async () => Promise.reject(new Error("401"))).it;
		const none: ModelGateway = {
			getApiKeyAndHeaders: async () => ({ ok: false, error: "nothing configured" }),
		};
		for (const it of [throwing, none])
			expect(await ask(it)).toMatchObject({ ok: false, reason: "no_credentials" });
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

	test("ends at the deadline and at the user's abort even if the provider does not", async () => {
		const deaf = () => gateway(() => new Promise<AssistantMessage>(() => undefined)).it;
		expect(await ask(deaf(), { deadlineMs: 5 })).toMatchObject({ ok: false, reason: "timeout" });
		const controller = new AbortController();
		const pending = ask(deaf(), { signal: controller.signal });
		controller.abort();
		expect(await pending).toMatchObject({ ok: false, reason: "aborted" });
	});
});

test("an API key in place of a model is redacted", () => {
	const key = `sk-ant-api03-${"AbCd1234".repeat(6)}`;
	const line = describeUnusable({ spec: `${key}/x`, source: "fastModel", near: [] });
	expect(line).not.toContain(key);
	expect(line).toContain("[redacted]");
});
