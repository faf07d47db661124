import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { followSession, ownDialog, type RunOutcome, type StartReason } from "./host-events.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A host that says what it is told to say, and what was heard of it. */
function host() {
	const listeners = new Map<string, (event: object, ctx: object) => unknown>();
	const facts = {
		busy: false,
		entries: [] as object[],
		opened: [] as StartReason[],
		runs: 0,
		settled: [] as RunOutcome[],
		dialogs: [] as boolean[],
	};
	const sessionManager = { getEntries: () => facts.entries };
	const ctx = { isIdle: () => !facts.busy, hasPendingMessages: () => false, sessionManager };
	followSession({ on: (name: string, listener: never) => void listeners.set(name, listener) } as never, {
		opened: (reason) => void facts.opened.push(reason),
		closed: () => undefined,
		runStarted: () => void facts.runs++,
		settled: (outcome) => facts.settled.push(outcome),
		dialog: (isOpen) => facts.dialogs.push(isOpen),
	});
	const say = (name: string, event: object = {}) => listeners.get(name)?.(event, ctx);
	const end = (stopReason = "stop") => say("agent_end", { messages: [{ role: "assistant", stopReason }] });
	say("session_start", { reason: "startup" });
	return { facts, say, end, pass: (ms: number) => vi.advanceTimersByTime(ms) };
}

test("pi that starts without messages has opened a new session", () => {
	const { facts, say } = host();
	facts.entries = [{ type: "message" }];
	say("session_start", { reason: "startup" });
	expect(facts.opened).toEqual(["new", "startup"]);
});

describe("a compaction counts as a run", () => {
	const signal = () => new AbortController();
	test.each(["session_compact", "session_compact_failed"])("until %s", (over) => {
		const { facts, say } = host();
		say("session_before_compact", { signal: signal().signal });
		expect(facts).toMatchObject({ runs: 1, settled: [] });
		say(over);
		expect(facts).toMatchObject({ runs: 1, settled: ["done"] });
	});

	test("until it is aborted or, on hosts that do not report a failure, for five minutes", () => {
		const { facts, say, pass } = host();
		const abort = signal();
		say("session_before_compact", { signal: abort.signal });
		abort.abort();
		expect(facts.settled).toEqual(["done"]);
		say("session_before_compact", { signal: signal().signal });
		pass(5 * 60_000);
		expect(facts).toMatchObject({ runs: 2, settled: ["done", "done"] });
	});

	test("and ends a run of which hosts before 1.x report no end, unless the run goes on", () => {
		const { facts, say, pass } = host();
		say("agent_start");
		facts.busy = true;
		say("session_before_compact", { signal: signal().signal });
		say("session_compact");
		pass(10_000);
		expect(facts.settled).toEqual([]);
		facts.busy = false;
		say("session_before_compact", { signal: signal().signal });
		say("session_compact");
		pass(10_000);
		expect(facts).toMatchObject({ runs: 1, settled: ["aborted"] });
	});

	test("and belongs to the run that it follows", () => {
		const { facts, say, end, pass } = host();
		say("agent_start");
		end();
		say("session_before_compact", { signal: signal().signal });
		pass(10_000);
		expect(facts).toMatchObject({ runs: 1, settled: [] });
		say("session_compact");
		pass(10_000);
		expect(facts).toMatchObject({ runs: 1, settled: ["done"] });
	});
});

describe("a run settles", () => {
	test("a little after it ended, once", () => {
		const { facts, end, pass } = host();
		end();
		pass(49);
		expect(facts.settled).toEqual([]);
		pass(60_000);
		expect(facts.settled).toEqual(["done"]);
	});

	test.each(["agent_start", "session_shutdown"])("not after %s", (next) => {
		const { facts, say, end, pass } = host();
		end();
		say(next, { reason: "quit" });
		pass(60_000);
		expect(facts.settled).toEqual([]);
	});

	test("after a failure, not before the host's own retries are over, each with a longer pause", () => {
		const { facts, say, end, pass } = host();
		for (const pause of [2_000, 4_000, 8_000]) {
			end("error");
			pass(pause);
			expect(facts.settled).toEqual([]);
			say("agent_start");
		}
		end("error");
		pass(50);
		expect(facts.settled).toEqual(["failed"]);
		end("error");
		pass(2_999);
		expect(facts.settled).toEqual(["failed"]);
		pass(1);
		expect(facts.settled).toEqual(["failed", "failed"]);
	});

	test("at once if the host says so, and as it says", () => {
		const { facts, say, end, pass } = host();
		end("error");
		say("agent_settled", { aborted: false });
		expect(facts.settled).toEqual(["failed"]);
		say("agent_start");
		end();
		pass(60_000);
		expect(facts.settled).toEqual(["failed"]);
		say("agent_settled", { aborted: true });
		expect(facts.settled).toEqual(["failed", "aborted"]);
	});
});

test("a dialog of another extension is told, one of ours is not", async () => {
	const { facts, say } = host();
	say("ui_prompt_start", { kind: "confirm" });
	say("ui_prompt_end", { kind: "confirm" });
	await ownDialog(async () => say("ui_prompt_start", { kind: "select" }));
	expect(facts.dialogs).toEqual([true, false]);
});
