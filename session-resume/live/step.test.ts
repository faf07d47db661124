import { describe, expect, test } from "vitest";
import { step, UNOPENED } from "./step.ts";
import type { LiveEffect, LiveEvent } from "./types.ts";

/** What is written and armed while these happen, in order. */
function run(...events: LiveEvent[]): string[] {
	let live = UNOPENED;
	const log: string[] = [];
	for (const event of events) {
		const { state, effects } = step(live, event);
		live = state;
		log.push(...effects.map(inWords));
	}
	return log;
}

function inWords(effect: LiveEffect): string {
	if (effect.type === "write") return effect.state;
	return effect.type === "arm" ? `arm ${effect.ms}` : effect.type;
}

const START: LiveEvent = { type: "run_start" };
const END: LiveEvent = { type: "run_end", failed: false };
const FAIL: LiveEvent = { type: "run_end", failed: true };
const TIMER: LiveEvent = { type: "timer" };
const looked = (found: "needs_you" | "idle" | "failed", busy = false): LiveEvent => ({
	type: "looked",
	found,
	busy,
});

describe("what the lease says", () => {
	test("a fresh session idles; one with a past is looked at; a prompt on the command line works", () => {
		expect(run({ type: "opened", past: false, working: false })).toEqual(["idle"]);
		expect(run({ type: "opened", past: true, working: false }, looked("needs_you"))).toEqual([
			"idle",
			"look",
			"needs_you",
		]);
		expect(run({ type: "opened", past: true, working: true })).toEqual(["working"]);
	});

	test("a run works, and what it ends with is looked at a moment later", () => {
		expect(run(START, END, TIMER, looked("needs_you"))).toEqual([
			"disarm",
			"working",
			"arm 50",
			"look",
			"needs_you",
			"notify",
		]);
	});

	test("a user is notified once for each run that ends in a question", () => {
		const notices = (...events: LiveEvent[]) => run(...events).filter((it) => it === "notify").length;
		const asked = looked("needs_you");
		expect(notices(START, END, TIMER, asked, asked)).toBe(1);
		expect(notices(START, END, TIMER, asked, START, END, TIMER, asked)).toBe(2);
		expect(notices(START, END, TIMER, looked("idle"), looked("needs_you"))).toBe(0);
		expect(notices({ type: "opened", past: true, working: false }, asked)).toBe(0);
		expect(notices(START, END, TIMER, looked("needs_you", true))).toBe(0);
	});

	test("a follow-up that starts in between is still work", () => {
		expect(run(START, END, START, TIMER)).toEqual(["disarm", "working", "arm 50", "disarm", "working"]);
		expect(run(START, END, TIMER, looked("idle", true))).toEqual([
			"disarm",
			"working",
			"arm 50",
			"look",
			"arm 50",
		]);
		expect(run(START, looked("idle"))).toEqual(["disarm", "working"]);
	});

	test("a failure that the host will retry is not an end until the retry would have begun", () => {
		expect(
			run(START, FAIL, START, FAIL, START, FAIL, START, FAIL, TIMER, looked("failed")).filter(
				(it) => it !== "disarm",
			),
		).toEqual([
			"working",
			"arm 3000",
			"working",
			"arm 5000",
			"working",
			"arm 9000",
			"working",
			"arm 50",
			"look",
			"failed",
		]);
	});

	test("a host that says itself when a run is over is believed", () => {
		expect(run(START, END, { type: "run_settled" }, looked("idle"))).toEqual([
			"disarm",
			"working",
			"arm 50",
			"disarm",
			"look",
			"idle",
		]);
	});
});
