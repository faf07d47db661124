import { readFileSync } from "node:fs";
import type { Api, Model, ModelThinkingLevel, ThinkingLevelMap } from "@mariozechner/pi-ai";
import { describe, expect, test } from "vitest";
import { chooseModels, formatSpec, mayTitle } from "./choose-model.ts";
import { effortOf, refuseEffort } from "./effort.ts";
import { modelOf } from "./model.test-support.ts";

interface CatalogModel {
	host: string;
	provider: string;
	id: string;
	api: Api;
	reasoning: boolean;
	thinkingLevelMap?: ThinkingLevelMap;
	cost: [input: number, output: number];
	maxTokens: number;
	/** The level that is sent if the session is at `high`, and at `off`; "none" if none is sent. */
	atHigh: string;
	atOff: string;
	cap: number;
	/** Whether a title is requested from the model automatically if it is the active one. */
	title: boolean;
}

/** Models of the catalogs of pi 0.73.1 and 1.6.0, and what is sent to them. */
const CATALOG: CatalogModel[] = JSON.parse(
	readFileSync(new URL("../../../test/support/catalog-models.json", import.meta.url), "utf8"),
);

test.each(CATALOG)("$host: $provider/$id", (row) => {
	const { provider, id, api, reasoning, thinkingLevelMap, cost, maxTokens } = row;
	const [input, output] = cost;
	const model = modelOf({
		...{ provider, id, api, reasoning, maxTokens, baseUrl: "https://api.example.com" },
		...(thinkingLevelMap && { thinkingLevelMap }),
		cost: { input, output, cacheRead: 0, cacheWrite: 0 },
	});
	const level = (own: ModelThinkingLevel) => effortOf(model, own).reasoning ?? "none";
	expect({ atHigh: level("high"), atOff: level("off"), cap: effortOf(model, "high").maxTokens }).toEqual({
		atHigh: row.atHigh,
		atOff: row.atOff,
		cap: row.cap,
	});
	expect(mayTitle({ model, source: "active model" })).toBe(row.title);
	// All models of the provider are available, and the user chose none of them.
	const modelRegistry = {
		find: () => model,
		getAll: () => CATALOG.map((other) => modelOf({ provider, id: other.id })),
		hasConfiguredAuth: () => true,
	};
	const { candidates } = chooseModels([], { model, modelRegistry, scopedModels: [] });
	expect(candidates.map((one) => formatSpec(one.model))).toEqual([`${provider}/${id}`]);
});

describe("a model from models.json", () => {
	const thinks = { reasoning: true };
	test.each<[string, Partial<Model<Api>>, ModelThinkingLevel, string | undefined, number]>([
		["no reasoning", {}, "high", undefined, 300],
		["reasoning without a map, at the session's level", thinks, "medium", "medium", 2_000],
		["reasoning without a map, off", thinks, "off", undefined, 2_000],
		["an empty map", { ...thinks, thinkingLevelMap: {} }, "low", "low", 2_000],
		["a map that names off", { ...thinks, thinkingLevelMap: { off: "none" } }, "high", undefined, 300],
		[
			"a map that only forbids off",
			{ ...thinks, thinkingLevelMap: { off: null } },
			"medium",
			"medium",
			2_000,
		],
		[
			"a map with low as the lowest",
			{ ...thinks, thinkingLevelMap: { minimal: null, low: "low" } },
			"high",
			"low",
			2_000,
		],
		[
			"a map with one level",
			{ ...thinks, thinkingLevelMap: { off: null, low: null, high: "max" } },
			"medium",
			"high",
			2_000,
		],
		[
			"a map that names only levels above high",
			{ ...thinks, thinkingLevelMap: { off: null, xhigh: "xhigh" } },
			"low",
			"low",
			2_000,
		],
		[
			"Anthropic's API, whose client says that thinking is off",
			{ ...thinks, api: "anthropic-messages" },
			"high",
			undefined,
			300,
		],
		[
			"Claude on Bedrock",
			{ ...thinks, api: "bedrock-converse-stream", id: "eu.anthropic.claude-opus-4-7" },
			"high",
			undefined,
			300,
		],
		[
			"another model on Bedrock",
			{ ...thinks, api: "bedrock-converse-stream", id: "amazon.nova-2" },
			"low",
			"low",
			2_000,
		],
		["a small output", { ...thinks, maxTokens: 100 }, "low", "low", 100],
	])("%s", (_, more, own, reasoning, maxTokens) => {
		expect(effortOf(modelOf(more), own)).toEqual({ maxTokens, ...(reasoning && { reasoning }) });
	});
});

describe("a refusal", () => {
	test("of reasoning that is off is answered with the session's own level", () => {
		const model = modelOf({ id: "always-thinks", reasoning: true, api: "google-generative-ai" });
		expect(effortOf(model, "medium")).toEqual({ maxTokens: 300 });
		expect(refuseEffort(model, "medium")).toBe(true);
		expect(effortOf(model, "medium")).toEqual({ maxTokens: 2_000, reasoning: "medium" });
		expect(refuseEffort(model, "medium")).toBe(false);
	});

	test("changes nothing if there is no other effort", () => {
		const model = modelOf({ id: "silent", reasoning: true });
		expect(refuseEffort(model, "off")).toBe(false);
		expect(effortOf(model, "low").reasoning).toBe("low");
	});
});
