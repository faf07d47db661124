import { isObject } from "../json.ts";
import { answerTokens, contextTokens, modelOf, ownModel, positive } from "../session-view/read-session.ts";
import type { BranchSlice } from "./branch.ts";
import type { Entry } from "./entry.ts";
import { contentText } from "./message.ts";

/** The kinds of tokens that are sent to a model. Each has a price of its own. */
const SENT = ["input", "cacheRead", "cacheWrite"] as const;

/** Prices of a token that is sent, in the currency of the model's price table. */
export type Rates = Partial<Record<(typeof SENT)[number], number>>;

/** What the replies of a branch show about the cost of the next call of the same model. */
export interface Calls {
	/** The number of tokens in the context after the last reply. */
	context: number;
	/** The number of these tokens that the provider's cache contained after the last call; 0 if no call has used a cache. */
	cached: number;
	/** When the cache was last used, in milliseconds since the epoch. */
	at: number;
	/** Whether tokens that are written to the cache have a price of their own. */
	isWritten: boolean;
	/** The number of tokens that the first call sent in addition to the prompt; undefined if the first reply was not read. */
	overhead: number | undefined;
	rates: Rates;
}

/** Returns undefined if it is not known what is in the context, for example after a compaction. */
export function callsOf({ entries, opening, firstReply }: BranchSlice): Calls | undefined {
	const context = contextTokens(entries);
	const model = ownModel(entries);
	const replies = entries.filter(({ message }) => answerTokens(message) > 0);
	const last = replies.at(-1);
	if (context === undefined || !last || !model) return undefined;
	const isOwn = (entry: Entry) => {
		const by = modelOf(entry);
		return by?.id === model.id && by.provider === model.provider;
	};
	const own = replies.filter(isOwn).map(usageOf);
	const usesCache = isOwn(last) && own.some((usage) => tokensOf(usage, "cacheRead", "cacheWrite") > 0);
	// pi 1.5 keeps the cache of an idle session warm for a while, and stores what that costs.
	const used = entries.findLast((entry) => entry === last || entry["kind"] === "cache_warm");
	return {
		context,
		cached: usesCache ? tokensOf(usageOf(last), ...SENT) : 0,
		at: Date.parse(used?.timestamp ?? ""),
		isWritten: own.some((usage) => tokensOf(usage, "cacheWrite") > 0),
		overhead: overheadOf(firstReply, [...opening, ...entries]),
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
	return Math.max(0, sent - textTokens(isObject(prompt) ? contentText(prompt["content"]) : ""));
}

/** Estimates the number of tokens of a text at four characters per token. */
export function textTokens(text: string): number {
	return Math.ceil(text.length / 4);
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
