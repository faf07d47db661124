import { readFileSync } from "node:fs";
import type { Api, ModelThinkingLevel, ThinkingLevelMap } from "@mariozechner/pi-ai";
import { describe, expect, test } from "vitest";
import { rowsOf } from "../../../test/support/table.ts";
import { mayTitle } from "./choose-model.ts";
import { modelOf } from "./model.test-support.ts";
import { effortOf, refuseEffort } from "./side-call.ts";

const LEVELS = ["low", "medium", "high"] as const;

interface CatalogModel {
	host: string;
	provider: string;
	id: string;
	api: Api;
	reasoning: boolean;
	thinkingLevelMap?: ThinkingLevelMap;
	cost: [input: number, output: number];
	maxTokens: number;
	/**
	 * The level that is sent if the session's level is `high` (`atHigh`) or `off` (`atOff`). "none" means
	 * that no level is sent.
	 */
	atHigh: string;
	atOff: string;
	cap: number;
	/** Whether a title is requested automatically from the model if it is the active model. */
	title: boolean;
}

/** The models in the catalogs of pi 0.73.1 and 1.6.0, with the effort that is sent to each model. */
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
});

/**
 * Columns: name, differences from a model without reasoning, session's level, level that is sent,
 * maximum output.
 */
const CUSTOM = `
no reasoning | { "reasoning": false } | high | | 300
reasoning without a map, at the session's level | {} | medium | medium | 2000
reasoning without a map, off | {} | off | | 2000
an empty map | { "thinkingLevelMap": {} } | low | low | 2000
a map that names off | { "thinkingLevelMap": { "off": "none" } } | high | | 300
a map that only forbids off | { "thinkingLevelMap": { "off": null } } | medium | medium | 2000
a map with low as the lowest | { "thinkingLevelMap": { "minimal": null, "low": "low" } } | high | low | 2000
a map with one level | { "thinkingLevelMap": { "off": null, "low": null, "high": "max" } } | medium | high | 2000
a map that names only levels above high | { "thinkingLevelMap": { "off": null, "xhigh": "xhigh" } } | low | low | 2000
Anthropic's API, whose client says that thinking is off | { "api": "anthropic-messages" } | high | | 300
Claude on Bedrock | { "api": "bedrock-converse-stream", "id": "eu.anthropic.claude-opus-4-7" } | high | | 300
another model on Bedrock | { "api": "bedrock-converse-stream", "id": "amazon.nova-2" } | low | low | 2000
a small output | { "maxTokens": 100 } | low | low | 100
`;

test.each(rowsOf(CUSTOM))("a model from models.json: %s", (_, more = "", own, reasoning, maxTokens) => {
	const model = modelOf({ reasoning: true, ...JSON.parse(more) });
	const level = LEVELS.find((one) => one === own) ?? "off";
	expect(effortOf(model, level)).toEqual({ maxTokens: Number(maxTokens), ...(reasoning && { reasoning }) });
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
