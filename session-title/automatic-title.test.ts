import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createRequestSlot } from "../session-core/model/ask.ts";
import type { Trigger } from "../session-core/model/ledger.ts";
import { modelOf } from "../session-core/model/model.test-support.ts";
import { walkBranch } from "../session-core/session-file/branch.ts";
import { hostSource } from "../session-core/session-file/entry.ts";
import { openProcess, type Process } from "../session-core/session-file/names.test-support.ts";
import { useTemporaryFolder } from "../session-core/session-file/session.test-support.ts";
import { readTimeline } from "../session-core/timeline/timeline.ts";
import { session } from "../test/host/fixtures.ts";
import type { TitleOutcome } from "./ask.ts";
import { type AutomaticDeps, createAutomaticTitle } from "./automatic-title.ts";
import { readingOf } from "./reading.ts";

const folder = useTemporaryFolder();

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const TITLE = "Login redirect after token expiry";
const model = modelOf();

let serial = 0;

function start(answers: TitleOutcome[] = [], more: { prompt?: string } & Partial<AutomaticDeps> = {}) {
	serial += 1;
	const path = join(folder(), `${serial}.jsonl`);
	writeFileSync(
		path,
		session()
			.user(more.prompt ?? "the login page redirects forever")
			.assistant("I will look into it.")
			.build(),
	);
	const mine = openProcess(path);
	const landed: string[] = [];
	const events: string[] = [];
	let calls = 0;
	const requested = new Set<string>();
	const automatic = createAutomaticTitle({
		ports: mine.ports,
		slot: createRequestSlot<Trigger>(),
		ask: async ({ reading }) => {
			calls += 1;
			requested.add(reading.stamp ?? "");
			return answers.shift() ?? { ok: true, title: TITLE, model: "p/m" };
		},
		read: () => readingOf(readTimeline(walkBranch(hostSource(mine.manager)), { cwd: "/project" })),
		candidates: () => [{ model, source: "cheap model, same vendor" }],
		isOff: () => false,
		budget: { isUsedUp: () => false, attempts: () => calls, wasRequested: (stamp) => requested.has(stamp) },
		landed: (title) => landed.push(title),
		...more,
		log: (event, { reason }) => events.push([event, reason].filter(Boolean).join(" ")),
	});
	return {
		path,
		mine,
		landed,
		events,
		calls: () => calls,
		settle: async () => {
			automatic.consider();
			await turn();
		},
	};
}

const speak = ({ manager }: Process, content: string) =>
	manager.appendMessage({ role: "user", content, timestamp: 0 });

describe("an automatic title", () => {
	test("is requested once and stored with the state of the conversation it was made from", async () => {
		const { mine, landed, calls, settle } = start();
		await settle();
		await settle();
		expect(calls()).toBe(1);
		expect(landed).toEqual([TITLE]);
		const records = mine.manager.getEntries().filter(({ type }) => type === "custom");
		expect(records).toMatchObject([
			{ data: { title: TITLE, source: "auto", model: "p/m", last_message_id: expect.any(String) } },
		]);
	});

	test("is the user's own prompt if that is a title, without a call, a model or money", async () => {
		const budget = { isUsedUp: () => true, attempts: () => 0, wasRequested: () => true };
		const { mine, landed, calls, settle } = start([], {
			prompt: "fix login redirect loop",
			candidates: () => [],
			budget,
		});
		await settle();
		expect([landed, calls()]).toEqual([["Fix login redirect loop"], 0]);
		const records = mine.manager.getEntries().filter(({ type }) => type === "custom");
		expect(records).toMatchObject([{ data: { title: "Fix login redirect loop", source: "auto" } }]);
	});

	test("is requested once for each state and at most three times in all", async () => {
		const failed: TitleOutcome = { ok: false, reason: "empty_result", model: "p/m" };
		const { mine, calls, settle, events } = start(Array.from({ length: 9 }, () => failed));
		await settle();
		await settle();
		expect(calls()).toBe(1);
		expect(events.at(-1)).toBe("title.skipped asked");
		for (let i = 0; i < 5; i++) {
			speak(mine, `and what about case ${i}?`);
			await settle();
		}
		expect(calls()).toBe(3);
		expect(events.at(-1)).toBe("title.skipped attempts");
	});

	test("is not requested if another process named the session", async () => {
		const named = start();
		openProcess(named.path).manager.appendSessionInfo("theirs");
		await named.settle();
		speak(named.mine, "and I go on here");
		await named.settle();
		expect(named.events).toEqual(["title.skipped named_meanwhile", "title.skipped named_meanwhile"]);
		expect(named.calls()).toBe(0);
	});

	test("that arrives after a person has named the session is dropped", async () => {
		const { path, landed, settle, calls } = start();
		const settled = settle();
		openProcess(path).manager.appendSessionInfo("theirs");
		await settled;
		await settle();
		expect([landed, calls()]).toEqual([[], 1]);
		expect(openProcess(path).manager.getSessionName()).toBe("theirs");
	});
});
