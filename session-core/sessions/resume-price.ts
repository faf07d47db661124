import type { Calls, Rates } from "../log/index.ts";
import { openOf, type SessionRecord } from "../recap/index.ts";
import { costText, estimateTokens } from "../text/index.ts";
import { resumePrompt } from "./resume-prompt.ts";

/** Time in milliseconds for which providers keep a context in their cache after its last use. */
const CACHE_MS = 5 * 60_000;

/** A lower price is not worth showing. */
const LEAST = 0.0001;

/**
 * Returns what the first call costs if a session is resumed, and if it is continued in a new session. The prices in the replies are more
 * exact than the model's price table, in which prices may depend on the length of the context, so the table is used only for prices that
 * the replies do not show. Empty if the price is unknown or 0. `fresh`: how the text names the new session.
 */
export function resumePriceText(
	{ calls, record }: { calls?: Calls | undefined; record: SessionRecord | undefined },
	now: number,
	table: Rates = {},
	fresh = "--fresh",
): string {
	if (!calls) return "";
	const { input = 0, cacheRead = 0, cacheWrite = 0 } = { ...table, ...calls.rates };
	const rate = (calls.isWritten && cacheWrite) || input;
	const cached = now - calls.at < CACHE_MS ? calls.cached : 0;
	const price = cached * cacheRead + (calls.context - cached) * rate;
	if (!(price >= LEAST)) return "";
	const prompt = record ? resumePrompt(record, openOf(record).next, { isFresh: true }) : "";
	const inNew = calls.overhead === undefined ? 0 : (calls.overhead + estimateTokens(prompt)) * rate;
	const isCheaper = inNew >= LEAST && inNew < price / 2;
	return `resume ≈ ${costText(price)}${isCheaper ? `, or ${fresh} ≈ ${costText(inNew)}` : ""}`;
}
