import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { registerInstance, stopWaiting, waitForInstance } from "./instances.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const instance = () => ({ goOn: async () => undefined, keepTyped: () => undefined });

describe("the instance of a session that was just opened", () => {
	test("is found if it has started, waited for if not, and forgotten after its end", async () => {
		const early = instance();
		const withdraw = registerInstance("s1", early);
		expect(await waitForInstance("s1")).toBe(early);
		withdraw();
		const found = waitForInstance("s1");
		const late = instance();
		const withdrawLate = registerInstance("s1", late);
		expect(await found).toBe(late);
		withdrawLate();
	});

	test("is given up after a deadline", async () => {
		const found = waitForInstance("unknown", 100);
		await vi.advanceTimersByTimeAsync(100);
		expect(await found).toBeUndefined();
	});

	test("is given up at once if its session ends before it has started", async () => {
		const found = waitForInstance("replaced");
		stopWaiting("another");
		expect(vi.getTimerCount()).toBe(1);
		stopWaiting("replaced");
		expect(await found).toBeUndefined();
		expect(vi.getTimerCount()).toBe(0);
	});

	test("is not withdrawn by its predecessor", async () => {
		const withdrawOld = registerInstance("s2", instance());
		const current = instance();
		const withdraw = registerInstance("s2", current);
		withdrawOld();
		expect(await waitForInstance("s2")).toBe(current);
		withdraw();
	});
});
