import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createPin } from "./pin.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function pinOver(texts: { now: string }) {
	let shown = 0;
	const pin = createPin({ text: () => texts.now, show: () => void shown++ });
	return { pin, shown: () => shown };
}

describe("the card of an opened session", () => {
	test("is there at once where nothing is typed", () => {
		const { pin, shown } = pinOver({ now: " " });
		pin.set();
		expect(shown()).toBe(1);
	});

	test("waits for who types ahead, and is not lost", () => {
		const text = { now: "h" };
		const { pin, shown } = pinOver(text);
		pin.set();
		for (const typed of ["ha", "hal", "half"]) {
			vi.advanceTimersByTime(1_900);
			text.now = typed;
			vi.advanceTimersByTime(100);
		}
		expect(shown()).toBe(0);
		vi.advanceTimersByTime(2_000);
		expect(shown()).toBe(1);
		vi.advanceTimersByTime(60_000);
		expect(shown()).toBe(1);
	});

	test("is not shown once it is no longer wanted", () => {
		const { pin, shown } = pinOver({ now: "half a thought" });
		pin.set();
		pin.cancel();
		vi.advanceTimersByTime(60_000);
		expect(shown()).toBe(0);
	});
});
