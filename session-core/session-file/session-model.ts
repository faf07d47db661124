import { isObject } from "../json.ts";
import type { ModelName } from "../text/shown-line.ts";
import type { Entry } from "./entry.ts";

/**
 * Returns the model in use at the end of a branch, whose entries are given oldest first. As in the host, this is the model that was last
 * selected or that last answered, whichever is later.
 */
export function ownModel(entries: readonly Entry[]): ModelName | undefined {
	for (let index = entries.length - 1; index >= 0; index--) {
		const entry = entries[index];
		const model = entry && modelOf(entry);
		if (model) return model;
	}
	return undefined;
}

/** Returns the model that an entry selected, or that answered in it. */
export function modelOf(entry: Entry): ModelName | undefined {
	if (entry.type === "model_change") return named(entry["provider"], entry["modelId"]);
	const message = entry["message"];
	if (entry.type !== "message" || typeof message !== "object" || message === null) return undefined;
	if (!("role" in message) || message.role !== "assistant") return undefined;
	return named(
		"provider" in message ? message.provider : undefined,
		"model" in message ? message.model : undefined,
	);
}

function named(provider: unknown, id: unknown): ModelName | undefined {
	return typeof provider === "string" && typeof id === "string" ? { provider, id } : undefined;
}

/**
 * Returns the number of tokens in the model's context after the last answer on a branch, as the host counts them. The entries are given
 * oldest first. The result is undefined between a compaction and the next answer. The host's own function is not used, because it copies
 * the whole branch.
 */
export function contextTokens(entries: readonly Entry[]): number | undefined {
	for (const entry of entries.toReversed()) {
		if (entry.type === "compaction") return undefined;
		const tokens = entry.type === "message" ? answerTokens(entry["message"]) : 0;
		if (tokens > 0) return tokens;
	}
	return undefined;
}

/** Returns the number of tokens in the context after an answer; 0 if the message is no answer or does not say. */
export function answerTokens(message: unknown): number {
	if (!isObject(message) || message["role"] !== "assistant") return 0;
	if (message["stopReason"] === "aborted" || message["stopReason"] === "error") return 0;
	const { usage } = message;
	if (!isObject(usage)) return 0;
	const total = positive(usage["totalTokens"]);
	if (total > 0) return total;
	return ["input", "output", "cacheRead", "cacheWrite"].reduce((sum, key) => sum + positive(usage[key]), 0);
}

/** Returns the value if it is a positive number, otherwise 0. */
export function positive(value: unknown): number {
	return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
