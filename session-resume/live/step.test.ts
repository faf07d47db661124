import { describe, expect, test } from "vitest";
import { type LiveEffect, type LiveEvent, step, UNOPENED } from "./step.ts";

/** States that are written and effects of these events, in order. */
function run(...events: LiveEvent[]): string[] {
	let live = UNOPENED;
	const log: string[] = [];
	for (const event of events) {
		const { state, effects } = step(live, event);
		live = state;
		log.push(...effects.map((effect: LiveEffect) => (effect.type === "write" ? effect.state : effect.type)));
	}
	return log;
}

const START: LiveEvent = { type: "run_started" };
const DONE: LiveEvent = { type: "settled", outcome: "done" };
const ASKS: LiveEvent = { type: "dialog", isOpen: true };
const ANSWERED: LiveEvent = { type: "dialog", isOpen: false };
const looked = (found: "needs_you" | "idle" | "failed"): LiveEvent => ({ type: "looked", found });

describe("the state in the lease", () => {
	test("a new session is idle, one with messages is read, and one with a prompt on the command line is working", () => {
		expect(run({ type: "opened", past: false, working: false })).toEqual(["idle"]);
		expect(run({ type: "opened", past: true, working: false }, looked("needs_you"))).toEqual([
			"idle",
			"look",
			"needs_you",
		]);
		expect(run({ type: "opened", past: true, working: true })).toEqual(["working"]);
	});

	test("a run is working, and its end is read unless the outcome decides", () => {
		expect(run(START, DONE, looked("needs_you"))).toEqual(["working", "look", "needs_you", "notify"]);
		expect(run(START, { type: "settled", outcome: "failed" })).toEqual(["working", "failed"]);
		expect(run(START, { type: "settled", outcome: "aborted" })).toEqual(["working", "idle"]);
		expect(run(START, DONE, START, looked("idle"))).toEqual(["working", "look", "working"]);
	});

	test("the user is notified once for each run that ends in a question", () => {
		const notices = (...events: LiveEvent[]) => run(...events).filter((it) => it === "notify").length;
		const asked = looked("needs_you");
		expect(notices(START, DONE, asked, asked)).toBe(1);
		expect(notices(START, DONE, asked, START, DONE, asked)).toBe(2);
		expect(notices(START, DONE, looked("idle"), asked)).toBe(0);
		expect(notices({ type: "opened", past: true, working: false }, asked)).toBe(0);
	});

	test("a dialog during a run needs the user until it is answered; a dialog without a run does not", () => {
		expect(run(START, ASKS, ANSWERED, DONE, looked("idle"))).toEqual([
			"working",
			"needs_you",
			"notify",
			"working",
			"look",
			"idle",
		]);
		expect(run(ASKS, ANSWERED)).toEqual([]);
	});
});
