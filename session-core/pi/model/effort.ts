import type { Api, Model, ModelThinkingLevel, ThinkingLevel } from "@mariozechner/pi-ai";
import { inProcess } from "../host/index.ts";
import { formatSpec } from "./choose-model.ts";

/** The maximum number of output tokens without reasoning. Three sentences or a title need a tenth of that. */
const MAX_TOKENS = 300;
/**
 * The maximum number of output tokens for models whose reasoning may be on. Reasoning counts as output, so a lower limit would leave no
 * room for the answer.
 */
export const MAX_TOKENS_WITH_REASONING = 2_000;

/** The reasoning level to send with a request, if any, and the maximum number of output tokens. */
export interface Effort {
	maxTokens: number;
	reasoning?: ThinkingLevel;
}

const LEVELS = ["minimal", "low", "medium", "high"] as const;

/** The models whose servers refused the first effort that `effortOf` returned. Refusals are remembered until the process ends. */
const refused = inProcess("refused-efforts", () => new Set<string>());

/**
 * Returns the lowest effort that is known to work: no reasoning if it can be turned off, otherwise the lowest level in the model's own map,
 * and otherwise the session's level, with which the agent already works. `wanted` is the maximum number of output tokens without reasoning.
 */
export function effortOf(model: Model<Api>, own: ModelThinkingLevel, wanted = MAX_TOKENS): Effort {
	const map = model.thinkingLevelMap ?? {};
	const isRefused = refused.has(formatSpec(model));
	const canBeOff = typeof map.off === "string" || (map.off === undefined && isOffUnlessRequested(model));
	const isOff = !model.reasoning || (canBeOff && !isRefused);
	const current = own === "off" ? undefined : own;
	const known = canBeOff ? undefined : (LEVELS.find((level) => typeof map[level] === "string") ?? current);
	const other = known === undefined ? current : undefined;
	const reasoning = isRefused ? other : known;
	const cap = isOff ? wanted : Math.max(wanted, MAX_TOKENS_WITH_REASONING);
	const maxTokens = model.maxTokens > 0 ? Math.min(model.maxTokens, cap) : cap;
	return { maxTokens, ...(model.reasoning && reasoning && { reasoning }) };
}

/** Remembers that the model's server refused the current effort. Returns false if there is no other effort to try. */
export function refuseEffort(model: Model<Api>, own: ModelThinkingLevel): boolean {
	const before = effortOf(model, own).reasoning;
	const name = formatSpec(model);
	if (refused.has(name)) return false;
	refused.add(name);
	if (effortOf(model, own).reasoning !== before) return true;
	refused.delete(name);
	return false;
}

/**
 * Returns whether reasoning is off if a request names no level. For some APIs, pi-ai's client then turns reasoning off explicitly
 * (`thinking: disabled`, a budget of 0); for others, models reason only on request. On Bedrock, this is true only for Claude, which pi-ai
 * also recognizes by its name.
 */
function isOffUnlessRequested({ api, id, name }: Model<Api>): boolean {
	if (api === "bedrock-converse-stream") return /claude/i.test(`${id} ${name}`);
	return api === "anthropic-messages" || api === "google-generative-ai" || api === "google-vertex";
}
