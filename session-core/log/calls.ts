import { isObject } from "../text/files/index.ts";
import { estimateTokens, type ModelName } from "../text/index.ts";
import type { BranchSlice } from "./branch.ts";
import { contentText, type Entry } from "./entry.ts";

const SENT = ["input", "cacheRead", "cacheWrite"] as const;

export type Rates = Partial<Record<(typeof SENT)[number], number>>;

export interface Calls {
	context: number;
	/** The number of tokens in the provider's cache after the last call, or 0 if no call used a cache. */
	cached: number;
	/** The time at which the provider's cache was last used, in milliseconds since the epoch. */
	at: number;
	isWritten: boolean;
	/**
	 * The number of tokens that the first model call sent in addition to the user's prompt, for example
	 * for the system prompt. Undefined if the first reply was not read.
	 */
	overhead: number | undefined;
	rates: Rates;
}

/** Returns undefined if the current context size is unknown, for example after a compaction. */
export function callsOf({ entries, firstReply }: BranchSlice): Calls | undefined {
	const model = ownModel(entries);
	const replies = entries.filter(({ type, message }) => type === "message" && answerTokens(message) > 0);
	const last = replies.at(-1);
	const since = entries.findLast((entry) => entry === last || entry.type === "compaction");
	if (!last || since !== last || !model) return undefined;
	const isOwn = (entry: Entry) => {
		const by = modelOf(entry);
		return by?.id === model.id && by.provider === model.provider;
	};
	const own = replies.filter(isOwn).map(usageOf);
	const usesCache = isOwn(last) && own.some((usage) => tokensOf(usage, "cacheRead", "cacheWrite") > 0);
	// While a session is idle, pi 1.5 keeps the prompt cache warm for a while, and stores the cost in an entry.
	const used = entries.findLast((entry) => entry === last || entry["kind"] === "cache_warm");
	return {
		context: answerTokens(last["message"]),
		cached: usesCache ? tokensOf(usageOf(last), ...SENT) : 0,
		at: Date.parse(used?.timestamp ?? ""),
		isWritten: own.some((usage) => tokensOf(usage, "cacheWrite") > 0),
		overhead: overheadOf(firstReply, entries),
		rates: Object.fromEntries(
			SENT.flatMap((kind) => {
				const usage = own.findLast((one) => tokensOf(one, kind) > 0 && costOf(one, kind) > 0);
				return usage ? [[kind, costOf(usage, kind) / tokensOf(usage, kind)]] : [];
			}),
		),
	};
}

function overheadOf(firstReply: Entry | undefined, entries: readonly Entry[]): number | undefined {
	const sent = firstReply ? tokensOf(usageOf(firstReply), ...SENT) : 0;
	if (sent === 0) return undefined;
	const prompt = entries.map(({ message }) => message).find((one) => isObject(one) && one["role"] === "user");
	return Math.max(0, sent - estimateTokens(isObject(prompt) ? contentText(prompt["content"]) : ""));
}

type Usage = Readonly<Record<string, unknown>>;

function usageOf({ message }: Entry): Usage {
	return isObject(message) && isObject(message["usage"]) ? message["usage"] : {};
}

function tokensOf(usage: Usage, ...kinds: readonly (typeof SENT)[number][]): number {
	return kinds.reduce((sum, kind) => sum + positive(usage[kind]), 0);
}

function costOf({ cost }: Usage, kind: (typeof SENT)[number]): number {
	return isObject(cost) ? positive(cost[kind]) : 0;
}

export function ownModel(entries: readonly Entry[]): ModelName | undefined {
	const last = entries.findLast((entry) => modelOf(entry) !== undefined);
	return last && modelOf(last);
}

function modelOf({ type, message, ...fields }: Entry): ModelName | undefined {
	if (type !== "message" && type !== "model_change") return undefined;
	const source: Readonly<Record<string, unknown>> = isObject(message) ? message : fields;
	const { provider, model = source["modelId"] } = source;
	return typeof provider === "string" && typeof model === "string" ? { provider, id: model } : undefined;
}

/**
 * Counts tokens in the same way as pi. pi's own function is not used, because it copies the whole
 * branch.
 */
function answerTokens(message: unknown): number {
	if (!isObject(message) || message["role"] !== "assistant" || !isObject(message["usage"])) return 0;
	if (message["stopReason"] === "aborted" || message["stopReason"] === "error") return 0;
	const { usage } = message;
	return positive(usage["totalTokens"]) || tokensOf(usage, ...SENT) + positive(usage["output"]);
}

function positive(value: unknown): number {
	return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
