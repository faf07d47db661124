import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createIdleTimer } from "./session.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const HOUR = 3_600_000;

function timed(ms: number) {
	const idle = vi.fn();
	return { timer: createIdleTimer(() => ms, idle), idle };
}

test("the idle time begins anew with each start, and ends with a cancel", () => {
	const { timer, idle } = timed(60_000);
	timer.start();
	vi.advanceTimersByTime(59_000);
	timer.start();
	vi.advanceTimersByTime(59_000);
	expect(idle).not.toHaveBeenCalled();
	vi.advanceTimersByTime(1_000);
	expect(idle).toHaveBeenCalledOnce();
	timer.start();
	timer.cancel();
	vi.advanceTimersByTime(HOUR);
	expect(idle).toHaveBeenCalledOnce();
});

test.each([
	["no idle time", 0],
	["an idle time of two months, which no timer of the platform can hold", 60 * 24 * HOUR],
])("%s is not over within the hour", (_, ms) => {
	const { timer, idle } = timed(ms);
	timer.start();
	vi.advanceTimersByTime(HOUR);
	expect(idle).not.toHaveBeenCalled();
	timer.cancel();
});
