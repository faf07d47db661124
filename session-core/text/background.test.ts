import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { background, sendBugs, startPolling, startTimer } from "./background.ts";

const shown: string[] = [];
const logged: string[] = [];
const noted = (list: string[]) => (name: string, bug: unknown) => void list.push(`${name}: ${bug}`);

beforeEach(() => {
	vi.useFakeTimers();
	shown.length = 0;
	logged.length = 0;
	sendBugs({ show: noted(shown), log: noted(logged) });
});
afterEach(() => void vi.useRealTimers());

const fail = () => {
	throw new TypeError("injected");
};

test.each<[string, () => unknown]>([
	["a timer", () => startTimer("recap", 10, fail)],
	["the promise of a timer", () => startTimer("recap", 10, async () => fail())],
	["an interval", () => startPolling("recap", 10, fail)],
	["a promise", () => background("recap", async () => fail())],
	["a function", () => background("recap", fail)],
])("an exception in %s is shown and logged once", async (_what, start) => {
	start();
	await vi.advanceTimersByTimeAsync(100);
	vi.clearAllTimers();
	expect(shown).toEqual(["recap: TypeError: injected"]);
	expect(logged).toEqual(shown);
});

test("an interval continues after an exception", async () => {
	const work = vi.fn(fail);
	startPolling("recap", 10, work);
	await vi.advanceTimersByTimeAsync(35);
	vi.clearAllTimers();
	expect(work).toHaveBeenCalledTimes(3);
});

test("a bug is logged even if its session has no screen anymore", () => {
	sendBugs({ show: fail });
	background("recap", fail);
	expect(logged).toEqual(["recap: TypeError: injected"]);
});
