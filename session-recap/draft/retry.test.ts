import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PAUSE_MS } from "../../session-core/model/reserve-cost.ts";
import type { DraftFailure } from "./draft.ts";
import { createRetry } from "./drafter.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const failed = (reason: DraftFailure) => ({ stamp: "m1", failure: { reason, model: "p/m" } });

function retry() {
	const again: string[] = [];
	return { it: createRetry((stamp) => again.push(stamp)), again };
}

test("a draft that failed because the provider was busy is requested once more", () => {
	const { it, again } = retry();
	it.done(failed("rate_limited"));
	vi.advanceTimersByTime(PAUSE_MS - 1);
	expect(again).toEqual([]);
	vi.advanceTimersByTime(1);
	it.done(failed("rate_limited"));
	vi.advanceTimersByTime(10 * PAUSE_MS);
	expect(again).toEqual(["m1"]);
});

test("a draft that failed for another reason is not", () => {
	for (const reason of ["unusable", "timeout", "no_credentials", "asked"] as const) {
		const { it, again } = retry();
		it.done(failed(reason));
		vi.advanceTimersByTime(10 * PAUSE_MS);
		expect(again, reason).toEqual([]);
	}
});

test("an answer or the user cancels it", () => {
	const { it, again } = retry();
	it.done(failed("rate_limited"));
	it.done({ stamp: "m1", failure: undefined });
	it.done(failed("rate_limited"));
	it.cancel();
	vi.advanceTimersByTime(10 * PAUSE_MS);
	expect(again).toEqual([]);
});
