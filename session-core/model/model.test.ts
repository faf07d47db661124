import type { Api, AssistantMessage, Context, Model, SimpleStreamOptions } from "@mariozechner/pi-ai";
import { describe, expect, test } from "vitest";
import {
	chooseModels,
	describeUnusable,
	isCheap,
	type ModelCatalog,
	type NamedModels,
	parseSpec,
} from "./choose-model.ts";
import { describeFailure } from "./failure.ts";
import { modelOf } from "./model.test-support.ts";
import { leastEffort, type ModelGateway, type SideCallRequest, sideCall } from "./side-call.ts";

function model(spec: string, output: number, more: Partial<Model<Api>> = {}): Model<Api> {
	const { provider, id } = parseSpec(spec) ?? { provider: "p", id: spec };
	const cost = { input: output / 4, output, cacheRead: 0, cacheWrite: 0 };
	return modelOf({ id, provider, cost, ...more });
}

const opus = model("anthropic/opus", 25);
const haiku = model("anthropic/haiku", 5);
const mini = model("anthropic/mini", 4);
const qwen = model("openrouter/qwen/qwen3", 1);
const local = model("ollama/llama", 0);

function catalog(models: Model<Api>[], without: Model<Api>[] = []): ModelCatalog {
	return {
		find: (provider, id) => models.find((known) => known.provider === provider && known.id === id),
		getAll: () => models,
		hasConfiguredAuth: (known) => !without.includes(known),
	};
}
const all = catalog([opus, haiku, mini, qwen, local]);
const recapModels = chooseModels;
const titleModels = (named: NamedModels, active: Model<Api>, known: ModelCatalog) =>
	chooseModels(named, active, known, isCheap);
const ids = (choice: { candidates: { model: Model<Api> }[] }) =>
	choice.candidates.map(({ model: { id } }) => id);

describe("a model spec", () => {
	test.each([
		["openrouter/qwen/qwen3", { provider: "openrouter", id: "qwen/qwen3" }],
		[" anthropic/opus ", { provider: "anthropic", id: "opus" }],
		["opus", undefined],
		["/opus", undefined],
		["anthropic/", undefined],
	])("%j", (text, spec) => expect(parseSpec(text)).toEqual(spec));
});

describe("which model", () => {
	test("recap: flag, then setting, then fastModel, then the cheap models, then the active one, each once", () => {
		const named = { flag: "openrouter/qwen/qwen3", setting: "anthropic/haiku", fastModel: "anthropic/haiku" };
		expect(ids(recapModels(named, opus, all))).toEqual(["qwen/qwen3", "haiku", "mini", "opus"]);
	});

	test("an unknown spec is skipped and reported with suggestions", () => {
		const choice = recapModels({ flag: "anthropic/hiaku" }, opus, all);
		expect(ids(choice)).toEqual(["haiku", "mini", "opus"]);
		expect(choice.unusable.map(describeUnusable)).toEqual([
			'flag: unknown model "anthropic/hiaku". Did you mean anthropic/haiku, anthropic/opus, anthropic/mini?',
		]);
	});

	test("a model without credentials is skipped and reported", () => {
		const choice = recapModels({ setting: "anthropic/haiku" }, opus, catalog([opus, haiku], [haiku]));
		expect(ids(choice)).toEqual(["opus"]);
		expect(choice.unusable[0]).toMatchObject({ spec: "anthropic/haiku", near: undefined });
	});

	test("title: models of the same provider at a third of the active price or less, dearest first", () => {
		expect(ids(titleModels({}, opus, all))).toEqual(["haiku", "mini"]);
		expect(ids(titleModels({}, opus, catalog([opus, model("anthropic/sonnet", 15)])))).toEqual([]);
		expect(ids(titleModels({}, opus, catalog([opus, haiku, mini], [mini])))).toEqual(["haiku"]);
	});

	test.each<[string, Model<Api>, string[], string[]]>([
		[
			"a name for other terms",
			model("p/big-1.3", 4.25),
			["p/big-1.3-contributor 0.2", "p/small-1.3 1.2"],
			["small-1.3"],
		],
		[
			"another vendor of a router",
			model("openrouter/anthropic/claude-opus-5", 25),
			[
				"openrouter/mistralai/mistral-nemo 0.04",
				"openrouter/~anthropic/claude-haiku-latest 5",
				"openrouter/anthropic/claude-haiku-4.5 5",
			],
			["anthropic/claude-haiku-4.5", "~anthropic/claude-haiku-latest"],
		],
		[
			"another vendor of a provider that lists bare names",
			model("go/glm-5.3", 4),
			[
				"go/muse-spark-1.3-contributor 0.2",
				"go/kimi-k3-lite 1",
				"go/qwen3-coder 0.5",
				"go/glm-5.3-air 1.1",
				"go/tiny 1",
			],
			["glm-5.3-air"],
		],
		[
			"another vendor within a cloud's ids",
			model("bedrock/us.anthropic.claude-opus-5-v1:0", 25),
			["bedrock/amazon.nova-lite-v1:0 0.3", "bedrock/us.anthropic.claude-haiku-5-v1:0 5"],
			["us.anthropic.claude-haiku-5-v1:0"],
		],
	])("a cheap model never has %s", (_, active, others, wanted) => {
		const models = others.map((text) => {
			const [spec = "", price] = text.split(" ");
			return model(spec, Number(price));
		});
		const known = catalog([active, ...models]);
		expect(ids(titleModels({}, active, known))).toEqual(wanted);
		expect(ids(recapModels({}, active, known))).toEqual([...wanted, active.id]);
	});

	test("the placeholder that the host uses without a model is never called", () => {
		expect(ids(recapModels({}, model("unknown/unknown", 0), all))).toEqual([]);
	});

	test("title: an active model above 1.5 per million output tokens is not cheap", () => {
		const dear = model("p/dear", 1.6);
		const cheap = model("p/cheap", 1.5);
		expect(ids(titleModels({}, dear, catalog([dear])))).toEqual([]);
		expect(ids(titleModels({}, cheap, catalog([cheap])))).toEqual(["cheap"]);
	});

	test("title: a model without a price is cheap only if it runs on the user's own machines", () => {
		const cloud = { baseUrl: "https://api.example.com/v1" };
		const plan = model("copilot/opus", 0, cloud);
		expect(ids(titleModels({}, plan, catalog([plan, model("copilot/mini", 0, cloud)])))).toEqual([]);
		expect(ids(titleModels({}, opus, catalog([opus, model("anthropic/free", 0, cloud)])))).toEqual([]);
		for (const baseUrl of [
			"http://localhost:11434/v1",
			"http://192.168.1.7:8000",
			"http://[::1]:1/v1",
			"http://gpu:8000",
		]) {
			const own = model("own/llama", 0, { baseUrl });
			expect(ids(titleModels({}, own, catalog([own])))).toEqual(["llama"]);
		}
	});
});

test("a failure is described with the provider's status and message, if known", () => {
	const busy = { reason: "provider_error", status: 429, detail: "slow down." } as const;
	expect(describeFailure(busy, "p/m")).toBe(
		"p/m failed (429: slow down). Try again later, or choose another model.",
	);
	expect(describeFailure({ reason: "provider_error", status: 503, detail: "" }, "p/m")).toContain("(503).");
});

describe("least effort", () => {
	test.each<[string, Partial<Model<Api>>, { maxTokens: number; reasoning?: string }]>([
		["no reasoning", {}, { maxTokens: 300 }],
		["reasoning that is off by default", { reasoning: true, api: "anthropic-messages" }, { maxTokens: 300 }],
		["an explicit off", { reasoning: true, thinkingLevelMap: { off: "none" } }, { maxTokens: 300 }],
		[
			"reasoning that cannot be switched off",
			{ reasoning: true, api: "openai-responses", thinkingLevelMap: { off: null, minimal: null } },
			{ maxTokens: 2_000, reasoning: "low" },
		],
		["unknown reasoning", { reasoning: true }, { maxTokens: 2_000, reasoning: "minimal" }],
		["a model with a small output", { maxTokens: 100 }, { maxTokens: 100 }],
	])("%s", (_, more, effort) => expect(leastEffort(model("p/m", 1, more))).toEqual(effort));
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
		signal: new AbortController().signal,
		...more,
	});

describe("a side call", () => {
	test("is one request without temperature, tools, cache writes or retries", async () => {
		const { it, requests } = gateway(async () => message({}));
		expect(await ask(it)).toEqual({ ok: true, text: "hello", usage: { input: 10, output: 5, cost: 0.25 } });
		expect(requests).toHaveLength(1);
		expect(requests[0]?.options).toMatchObject({ maxTokens: 300, maxRetries: 0, sessionId: "s1" });
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

	test("reports an answer that ends at the maximum output", async () => {
		const ends = (text: string) =>
			gateway(async () => message({ content: [{ type: "text", text }], stopReason: "length" }));
		expect(await ask(ends("").it)).toMatchObject({ ok: false, reason: "cut_off" });
		expect(await ask(ends("Hm.").it)).toMatchObject({ ok: true, isCutOff: true });
	});

	test("returns the arguments of a tool call", async () => {
		const content: AssistantMessage["content"] = [
			{ type: "toolCall", id: "1", name: "t", arguments: { title: "x" } },
		];
		const { it } = gateway(async () => message({ content, stopReason: "toolUse" }));
		expect(await ask(it)).toMatchObject({ ok: true, toolArguments: { title: "x" } });
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
