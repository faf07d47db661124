import { expect, test } from "vitest";
import { isNews, type LiveEvent, step, UNOPENED } from "./step.ts";

const START: LiveEvent = { type: "run_started" };
const DONE: LiveEvent = { type: "settled", outcome: "done" };
const FAILED: LiveEvent = { type: "settled", outcome: "failed" };
const ABORTED: LiveEvent = { type: "settled", outcome: "aborted" };
const ASKS: LiveEvent = { type: "dialog", isOpen: true };
const ANSWERED: LiveEvent = { type: "dialog", isOpen: false };
const WAITS: LiveEvent = { type: "looked", found: "needs_you" };
const IDLE: LiveEvent = { type: "looked", found: "idle" };

test.each<[string, LiveEvent[], states: string, notices: number]>([
	["a session that waits when it is opened", [WAITS], "needs_you", 0],
	["a run that ends in a question", [START, DONE, WAITS, WAITS], "working needs_you", 1],
	["two such runs", [START, DONE, WAITS, START, DONE, WAITS], "working needs_you working needs_you", 2],
	["a run that is done", [START, DONE, IDLE], "working idle", 0],
	["a run that failed", [START, FAILED], "working failed", 0],
	["a run that the user stopped", [START, ABORTED], "working idle", 0],
	["a run that began before the end of the last one was read", [START, DONE, START, IDLE], "working", 0],
	["a dialog during a run", [START, ASKS, ANSWERED, DONE, IDLE], "working needs_you working idle", 1],
	["a dialog that the user opened", [ASKS, ANSWERED], "", 0],
])("the state in the lease, and notices to the user: %s", (_, events, expected, expectedNotices) => {
	let live = UNOPENED;
	let notices = 0;
	const states: string[] = [];
	for (const event of events) {
		const before = live;
		live = step(before, event);
		if (live.state !== before.state) states.push(live.state);
		if (isNews(before, live)) notices++;
	}
	expect(states.join(" ")).toBe(expected);
	expect(notices).toBe(expectedNotices);
});
