import type { Api, Model, ModelThinkingLevel, ThinkingLevel } from "@mariozechner/pi-ai";
import { inProcess } from "../host/index.ts";
import { formatSpec } from "./choose-model.ts";

/** The default limit on output tokens for a model call without reasoning. */
const ANSWER_TOKENS = 300;
/** Reasoning tokens count as output, so a lower limit would leave no room for the answer. */
export const MAX_TOKENS_WITH_REASONING = 2_000;

export interface Effort {
	maxTokens: number;
	reasoning?: ThinkingLevel;
}

const LEVELS = ["minimal", "low", "medium", "high"] as const;

const refusedLevels = inProcess("refused-efforts", () => new Set<string>());

/**
 * Returns the lowest reasoning level that is known to work: off if possible, then the lowest level in the
 * model's `thinkingLevelMap`, then the session's current level.
 */
export function effortOf(model: Model<Api>, own: ModelThinkingLevel, wanted = ANSWER_TOKENS): Effort {
	const map = model.thinkingLevelMap ?? {};
	const isRefused = refusedLevels.has(formatSpec(model));
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

export function refuseEffort(model: Model<Api>, own: ModelThinkingLevel): boolean {
	const before = effortOf(model, own).reasoning;
	const name = formatSpec(model);
	if (refusedLevels.has(name)) return false;
	refusedLevels.add(name);
	if (effortOf(model, own).reasoning !== before) return true;
	refusedLevels.delete(name);
	return false;
}

/**
 * Returns true if the model reasons only when a request specifies a reasoning level. On Bedrock, only
 * Claude models behave this way. Their id or name contains `claude`, which pi-ai checks as well.
 */
function isOffUnlessRequested({ api, id, name }: Model<Api>): boolean {
	if (api === "bedrock-converse-stream") return /claude/i.test(`${id} ${name}`);
	return api === "anthropic-messages" || api === "google-generative-ai" || api === "google-vertex";
}
