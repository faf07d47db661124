import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createRunWatch, settleDelay } from "./run-watch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched() {
	const facts = { busy: false, settled: [] as boolean[] };
	const watch = createRunWatch({
		isBusy: () => facts.busy,
		settled: ({ failed }) => facts.settled.push(failed),
	});
	return { watch, facts, pass: (ms: number) => vi.advanceTimersByTime(ms) };
}

test.each([
	[0, 50],
	[1, 3_000],
	[2, 5_000],
	[3, 9_000],
	[4, 50],
])("after %i failures in a row the host's next try would have begun within %i ms", (failures, ms) => {
	expect(settleDelay(failures)).toBe(ms);
});

describe("a run is over", () => {
	test("a little after it ended, once", () => {
		const { watch, facts, pass } = watched();
		watch.ended({ failed: false });
		pass(49);
		expect(facts.settled).toEqual([]);
		pass(60_000);
		expect(facts.settled).toEqual([false]);
	});

	test("not while the agent is still at it, or something is queued", () => {
		const { watch, facts, pass } = watched();
		facts.busy = true;
		watch.ended({ failed: false });
		pass(2_000);
		expect(facts.settled).toEqual([]);
		facts.busy = false;
		pass(50);
		expect(facts.settled).toEqual([false]);
	});

	test.each(["started", "cancel"] as const)("not after %s", (stop) => {
		const { watch, facts, pass } = watched();
		watch.ended({ failed: false });
		watch[stop]();
		pass(60_000);
		expect(facts.settled).toEqual([]);
	});

	test("after a failure not before the host's own retries are over, each with a longer pause", () => {
		const { watch, facts, pass } = watched();
		for (const pause of [2_000, 4_000, 8_000]) {
			watch.ended({ failed: true });
			pass(pause);
			expect(facts.settled).toEqual([]);
			watch.started();
		}
		watch.ended({ failed: true });
		pass(50);
		expect(facts.settled).toEqual([true]);
		watch.ended({ failed: true });
		pass(2_999);
		expect(facts.settled).toEqual([true]);
		pass(1);
		expect(facts.settled).toEqual([true, true]);
	});

	test("as it ended, also where the host says so", () => {
		const { watch, facts } = watched();
		watch.ended({ failed: true });
		watch.over();
		watch.over();
		expect(facts.settled).toEqual([true, true]);
	});

	test("well, once a retry has gone well", () => {
		const { watch, facts, pass } = watched();
		watch.ended({ failed: true });
		watch.started();
		watch.ended({ failed: false });
		pass(50);
		expect(facts.settled).toEqual([false]);
	});

	test("at once where the host says so, and not a second time by the timer", () => {
		const { watch, facts, pass } = watched();
		watch.ended({ failed: false });
		watch.over();
		expect(facts.settled).toEqual([false]);
		pass(60_000);
		expect(facts.settled).toEqual([false]);
	});
});
