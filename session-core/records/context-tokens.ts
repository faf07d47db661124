import { isObject } from "../json.ts";
import type { Entry } from "../session/entry.ts";

/**
 * How full the model's context is, in tokens, by the last answer on a branch (oldest entry first), as the host counts it:
 * undefined behind a compaction, until a model has answered again. The host's own call for it copies the whole branch.
 */
export function contextTokens(entries: readonly Entry[]): number | undefined {
	for (const entry of entries.toReversed()) {
		if (entry.type === "compaction") return undefined;
		const tokens = entry.type === "message" ? answerTokens(entry["message"]) : 0;
		if (tokens > 0) return tokens;
	}
	return undefined;
}

function answerTokens(message: unknown): number {
	if (!isObject(message) || message["role"] !== "assistant") return 0;
	if (message["stopReason"] === "aborted" || message["stopReason"] === "error") return 0;
	const { usage } = message;
	if (!isObject(usage)) return 0;
	const total = numberOf(usage["totalTokens"]);
	if (total > 0) return total;
	return ["input", "output", "cacheRead", "cacheWrite"].reduce((sum, key) => sum + numberOf(usage[key]), 0);
}

function numberOf(value: unknown): number {
	return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
