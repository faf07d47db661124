import { describe, expect, it } from "vitest";
import { type Happening, timelineOf } from "../log/timeline/log.test-support.ts";
import { laterWork, topicOf, withLaterWork } from "./topic.ts";

const ask = (user: string, calls = 1): Happening[] => [
	{ user },
	...Array<string>(calls).fill("$ make"),
	"< Done.",
];
const EDITS = "edit src/a.ts // edit src/b.ts // edit src/c.ts";

it("a pasted line of a terminal with an environment's name is no later work", () => {
	const pasted =
		"> (base) bob@mac Agent % mvn -X test | grep -n -i basedir Scanning for the project POM in this folder";
	const log = ["> Port the scheduler to the new clock // < Ported.", pasted, EDITS, "< Done."];
	expect(laterWork(timelineOf(log))).toBe("");
});

it("a short request that led to most of the work is quoted before a longer one with little work", () => {
	const log = [
		...ask("Check whether the scheduler starts twice, and port it to the new clock in every module", 9),
		...ask("finish the docs and the follow-ups of the old plan", 90),
		...ask(
			"also kill the idle workers of the old queue, because as far as I can see all of them have finished",
			4,
		),
	];
	expect(laterWork(timelineOf(log))).toMatch(/^finish the docs/);
});

it("answers to the agent's questions are no topic", () => {
	const happenings = [
		"> port the retry queue of the service to the new clock",
		{ says: "Which store should I use?\n\n- Redis for all the queues of the service\n- SQLite" },
		{ user: "Redis for all the queues of the service\nand please also keep the old one for a week or two" },
	];
	expect(topicOf(timelineOf(happenings))?.text).toBe("port the retry queue of the service to the new clock");
});

describe("the topic of a session", () => {
	const topic = (...happenings: Happening[]) => topicOf(timelineOf(happenings))?.text;
	const opening = "Port the whole scheduler to the new clock in every module";
	const REST = "and now tell me which of the old timers are still used by the tests";
	const COMMITS =
		"> commit it // $ git commit -qam x; git log -1 --oneline → 1a2b3c4 fix: keep the queue in order";
	const AGAIN = "$ git commit → [main 1a2b3c5] fix: keep the queue in order⏎ 1 file changed // < Committed.";
	it.each<[string, Happening[], string]>([
		["only the opening request", ask(REST), opening],
		["a far larger one, too", ask("Replace the import by a queue. ".repeat(15)), `${opening} · Replace`],
		["the newest commit, too", [...ask(REST), COMMITS, AGAIN], `${opening} · fix: keep the queue in order`],
		["no pasted error", ask(`--- FAIL: Clock\n${"src/clock.ts:12:7 got=0x1 want=0x2 ".repeat(20)}`), opening],
	])("is %s", (_, later, wanted) => {
		expect(topic(...ask(opening), ...later, ...ask("push it"))?.slice(0, wanted.length)).toBe(wanted);
	});

	it("is the slash command that an answer of several words belongs to, but not one after the largest request", () => {
		const answer = ask("no, there is no need for a setup, let's skip it", 0);
		expect(topic(...ask("/check-readiness"), ...answer)).toBe("/check-readiness");
		expect(topic(...ask(opening), ...ask("/check-readiness"), ...answer)).toBe(opening);
	});

	it("is a short opening request that most of the work followed, but not a question before the work", () => {
		const rest = ask("update the description of the change as well, so that we mislead nobody");
		expect(topic(...ask("respond to the review comments", 50), ...rest)).toBe(
			"respond to the review comments",
		);
		expect(topic(...ask("do you see the tracker?", 0), ...rest)).toMatch(/^update the description/);
	});
});

it.each([
	["let's go on", "Payroll auto-posting"],
	["Continue with the accounting journal of the shop", ""],
])("a short request after %j is later work only if the opening request says nothing", (opening, later) => {
	const { turns } = timelineOf([{ user: opening }, "< Done.", "> Payroll auto-posting", EDITS, "< Done."]);
	expect(laterWork({ turns })).toBe(later);
});

it.each<[string, string, string, boolean, string]>([
	["leaves out a request about the same task", "Fix the queue", "Fix the queue in uploads", true, ""],
	["adds another script's", "Write AGENTS.md", "미리보기가 작은 이유", true, "미리보기가 작은 이유"],
	["leaves out a request that may be translated", "Small preview", "미리보기가 작은 이유", false, ""],
	["adds a request that shares only endings", "色を選択する", "表を作成する", true, "表を作成する"],
])("a title %s", (_, title, later, isRequest, added) =>
	expect(withLaterWork(title, later, isRequest)).toBe([title, added].filter(Boolean).join(" · ")),
);
