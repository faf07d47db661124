import { expect, test } from "vitest";
import { isNews, type LiveEvent, stepLive, UNOPENED } from "./step.ts";

const START: LiveEvent = { type: "run_started" };
const DONE: LiveEvent = { type: "settled", outcome: "done", isSeen: true };
const DONE_UNSEEN: LiveEvent = { type: "settled", outcome: "done", isSeen: false };
const FAILED: LiveEvent = { type: "settled", outcome: "failed", isSeen: true };
const FAILED_UNSEEN: LiveEvent = { type: "settled", outcome: "failed", isSeen: false };
const ABORTED: LiveEvent = { type: "settled", outcome: "aborted", isSeen: false };
const OPENED: LiveEvent = { type: "dialog", isOpen: true };
const CLOSED: LiveEvent = { type: "dialog", isOpen: false };
const ASKS: LiveEvent = { type: "read", isAsked: true };
const SAYS: LiveEvent = { type: "read", isAsked: false };
const SEEN: LiveEvent = { type: "seen" };

test.each<[string, LiveEvent[], states: string, notices: number]>([
	["a session that waits when it is opened", [ASKS], "needs_you", 0],
	["looking at a question does not answer it", [START, DONE_UNSEEN, ASKS, SEEN], "working needs_you", 1],
	["a run that ends in a question before the user's eyes", [START, DONE, ASKS], "working needs_you", 1],
	["two such runs", [START, DONE, ASKS, START, DONE, ASKS], "working needs_you working needs_you", 2],
	[
		"an answer clears the question",
		[START, DONE, ASKS, START, DONE, SAYS],
		"working needs_you working idle",
		1,
	],
	["a run that is done before the user's eyes", [START, DONE, SAYS], "working idle", 0],
	[
		"a run that is done unseen, until the user looks",
		[START, DONE_UNSEEN, SAYS, SEEN],
		"working needs_you idle",
		1,
	],
	["a run that is seen before its end was read", [START, DONE_UNSEEN, SEEN, SAYS], "working idle", 0],
	["a run that failed unseen, until the user looks", [START, FAILED_UNSEEN, SEEN], "working failed idle", 1],
	["a run that failed before the user's eyes", [START, FAILED], "working idle", 0],
	["a run that the user stopped", [START, ABORTED], "working idle", 0],
	["looking during a run", [START, SEEN, DONE_UNSEEN, SAYS], "working needs_you", 1],
	["a run that began before the end of the last one was read", [START, DONE, START, SAYS], "working", 0],
	[
		"a run that began before the last one was seen",
		[START, DONE_UNSEEN, SAYS, START, DONE, SAYS],
		"working needs_you working idle",
		1,
	],
	["a dialog during a run", [START, OPENED, CLOSED, DONE, SAYS], "working needs_you working idle", 1],
	["looking at a dialog does not answer it", [START, OPENED, SEEN], "working needs_you", 1],
	["a dialog that the user opened", [OPENED, CLOSED], "", 0],
])("the state in the lease, and notices to the user: %s", (_, events, expected, expectedNotices) => {
	let live = UNOPENED;
	let notices = 0;
	const states: string[] = [];
	for (const event of events) {
		const before = live;
		live = stepLive(before, event);
		if (live.state !== before.state) states.push(live.state);
		if (isNews(before, live)) notices++;
	}
	expect(states.join(" ")).toBe(expected);
	expect(notices).toBe(expectedNotices);
});
