import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PAUSE_MS } from "../../session-core/model/budget.ts";
import type { DraftFailure } from "./draft.ts";
import { createRetry } from "./drafter.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const failed = (reason: DraftFailure) => ({ stamp: "m1", failure: { reason, model: "p/m" } });

function retry() {
	const again: string[] = [];
	return { it: createRetry((stamp) => again.push(stamp)), again };
}

test.each<DraftFailure>(["rate_limited", "server_error"])(
	"a draft that failed as %s is made once more",
	(reason) => {
		const { it, again } = retry();
		it.done(failed(reason));
		vi.advanceTimersByTime(PAUSE_MS - 1);
		expect(again).toEqual([]);
		vi.advanceTimersByTime(1);
		expect(again).toEqual(["m1"]);
		it.done(failed(reason));
		vi.advanceTimersByTime(10 * PAUSE_MS);
		expect(again).toEqual(["m1"]);
	},
);

test.each<DraftFailure>(["unusable", "empty", "timeout", "no_money", "no_credentials", "asked", "network"])(
	"one that failed as %s is not",
	(reason) => {
		const { it, again } = retry();
		it.done(failed(reason));
		vi.advanceTimersByTime(10 * PAUSE_MS);
		expect(again).toEqual([]);
	},
);

test("an answer or the user cancels it", () => {
	const { it, again } = retry();
	it.done(failed("rate_limited"));
	it.done({ stamp: "m1", failure: undefined });
	it.done(failed("rate_limited"));
	it.cancel();
	vi.advanceTimersByTime(10 * PAUSE_MS);
	expect(again).toEqual([]);
});
