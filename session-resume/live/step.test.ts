import { expect, test } from "vitest";
import { bellOn, isKey, isNews, type LiveEvent, stepLive, UNOPENED } from "./step.ts";

const settled = (outcome: "done" | "failed" | "aborted", isSeen: boolean, isAsked = false): LiveEvent => ({
	type: "settled",
	outcome,
	isSeen,
	isAsked,
});
const START: LiveEvent = { type: "run_started" };
const SAYS = settled("done", true);
const SAYS_UNSEEN = settled("done", false);
const ASKS = settled("done", true, true);
const ASKS_UNSEEN = settled("done", false, true);
const OPENED: LiveEvent = { type: "dialog", isOpen: true };
const CLOSED: LiveEvent = { type: "dialog", isOpen: false };
const SEEN: LiveEvent = { type: "seen" };

test.each<[string, LiveEvent[], states: string, notices: number]>([
	["a session that waits when it is opened", [ASKS], "waiting", 0],
	["looking at a question does not answer it", [START, ASKS_UNSEEN, SEEN], "working waiting", 1],
	["a run that ends in a question before the user's eyes", [START, ASKS], "working waiting", 1],
	["two such runs", [START, ASKS, START, ASKS], "working waiting working waiting", 2],
	["an answer clears the question", [START, ASKS, START, SAYS], "working waiting working idle", 1],
	["a run that is done before the user's eyes", [START, SAYS], "working idle", 0],
	["a run that is done unseen, until the user looks", [START, SAYS_UNSEEN, SEEN], "working finished idle", 1],
	[
		"a run that failed unseen, until the user looks",
		[START, settled("failed", false), SEEN],
		"working failed idle",
		1,
	],
	["a run that failed before the user's eyes", [START, settled("failed", true)], "working idle", 0],
	["a run that the user stopped", [START, settled("aborted", false)], "working idle", 0],
	["looking during a run", [START, SEEN, SAYS_UNSEEN], "working finished", 1],
	[
		"a run that began before the last one was seen",
		[START, SAYS_UNSEEN, START, SAYS],
		"working finished working idle",
		1,
	],
	["a dialog during a run", [START, OPENED, CLOSED, SAYS], "working waiting working idle", 1],
	["looking at a dialog does not answer it", [START, OPENED, SEEN], "working waiting", 1],
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

test.each<[string, LiveEvent[], string | undefined]>([
	["a dialog during a run", [START, OPENED], "announce"],
	["the end of that dialog", [START, OPENED, CLOSED], "cancel"],
	["a dialog that the user opened", [OPENED], undefined],
	["a run", [START], "cancel"],
	["the end of a run", [START, SAYS_UNSEEN], undefined],
])("the bell after %s: %s, %s", (_, events, expected) => {
	const states = [UNOPENED];
	for (const event of events) states.unshift(stepLive(states[0] ?? UNOPENED, event));
	const [now = UNOPENED, before = UNOPENED] = states;
	expect(bellOn(events.at(-1) ?? START, before, now)).toBe(expected);
});

test.each([
	["a", true],
	["\x1b", true],
	["\x1b[A", true],
	["\x1b[200~pasted\x1b[201~", true],
	["\x1b[I", false],
	["\x1b[<0;3;4M", false],
	["\x1b[?62;c", false],
	["\x1b[12;40R", false],
	["\x1b]11;rgb:0000/0000/0000\x07", false],
])("the terminal input %j is a key: %s", (data, expected) => {
	expect(isKey(data)).toBe(expected);
});
