import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Bell } from "./bell.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const DONE = { body: "Finished" };

/** A bell, and a log of its rings. `until`: ms for which the user is assumed to be looking. */
function belfry(until = 0) {
	const heard: string[] = [];
	let end = Date.now() + until;
	const looksForMs = () => Math.max(0, end - Date.now());
	const bell = new Bell({ looksForMs, ring: (body) => heard.push(body) });
	return { bell, heard, looks: (ms: number) => (end = Date.now() + ms) };
}

test("if background work wakes the agent three times, the bell rings once, after the last run", () => {
	const { bell, heard } = belfry();
	for (let times = 0; times < 3; times++) {
		bell.announce(DONE);
		vi.advanceTimersByTime(2_000);
		expect(heard).toEqual([]);
		if (times < 2) bell.cancel();
	}
	vi.advanceTimersByTime(2_000);
	bell.announce(DONE);
	vi.advanceTimersByTime(60_000);
	expect(heard).toEqual(["Finished"]);
	bell.submitted();
	bell.announce(DONE);
	vi.advanceTimersByTime(60_000);
	expect(heard).toEqual(["Finished", "Finished"]);
});

test("in a focused terminal, the bell rings after the idle time unless a key is pressed", () => {
	const { bell, heard, looks } = belfry(100_000);
	const unseen = vi.fn();
	bell.announce({ ...DONE, unseen });
	vi.advanceTimersByTime(99_000);
	expect(heard).toEqual([]);
	vi.advanceTimersByTime(2_000);
	expect([heard, unseen.mock.calls.length]).toEqual([["Finished"], 1]);
	bell.submitted();
	looks(100_000);
	bell.announce({ ...DONE, unseen });
	vi.advanceTimersByTime(50_000);
	looks(100_000);
	vi.advanceTimersByTime(500_000);
	expect([heard, unseen.mock.calls.length]).toEqual([["Finished"], 1]);
});

test("the bell rings for a dialog after six seconds", () => {
	const { bell, heard } = belfry();
	bell.announce({ body: "Waiting", isDialog: true });
	vi.advanceTimersByTime(5_900);
	expect(heard).toEqual([]);
	vi.advanceTimersByTime(200);
	expect(heard).toEqual(["Waiting"]);
});
