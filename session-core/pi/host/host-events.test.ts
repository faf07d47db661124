import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { rowsOf } from "../../../test/support/table.ts";
import { ownDialog, type RunOutcome, SessionFollower, type StartReason } from "./host-events.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A host on which the test emits events, and the calls that the handlers of its session received. */
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
	new SessionFollower({
		opened: (reason) => void facts.opened.push(reason),
		closed: () => undefined,
		runStarted: () => void facts.runs++,
		settled: (outcome) => facts.settled.push(outcome),
		dialog: (isOpen) => facts.dialogs.push(isOpen),
	}).listen({ on: (name: string, listener: never) => void listeners.set(name, listener) } as never);
	const say = (name: string, event: object = {}) => listeners.get(name)?.(event, ctx);
	say("session_start", { reason: "startup" });
	return { facts, say };
}

test("pi that starts without messages has opened a new session", () => {
	const { facts, say } = host();
	say("session_shutdown", { reason: "quit" });
	facts.entries = [{ type: "message" }];
	// pi 0.73.1 emits this event twice in RPC mode.
	for (const reason of ["startup", "startup"]) say("session_start", { reason });
	expect(facts.opened).toEqual(["new", "startup"]);
});

/**
 * Plays a script of events and delays (in milliseconds). Returns the number of runs and how they
 * settled.
 */
function outcome(script: string): string {
	const { facts, say } = host();
	let compaction = new AbortController();
	const acts: Readonly<Record<string, (reason?: string) => unknown>> = {
		start: () => say("agent_start"),
		end: (stopReason = "stop") => say("agent_end", { messages: [{ role: "assistant", stopReason }] }),
		settled: (reason) => say("agent_settled", { aborted: reason === "aborted" }),
		shutdown: () => say("session_shutdown", { reason: "quit" }),
		compact() {
			compaction = new AbortController();
			say("session_before_compact", { signal: compaction.signal });
		},
		compacted: () => say("session_compact"),
		failed: () => say("session_compact_failed"),
		abort: () => compaction.abort(),
		busy: () => Object.assign(facts, { busy: true }),
		idle: () => Object.assign(facts, { busy: false }),
	};
	for (const step of script.split(", ")) {
		const [name = "", reason] = step.split(" ");
		if (acts[name]) acts[name](reason);
		else vi.advanceTimersByTime(Number(name));
	}
	return [facts.runs, ...facts.settled].join(" ");
}

const RETRIES = "end error, 2000, start, end error, 4000, start, end error, 8000, start";

test.each(
	rowsOf(`
a run does not settle at once | start, end, 49 | 1
a run settles a little after it ended, once | start, end, 60000 | 1 done
a run does not settle if another follows | start, end, start, 60000 | 2
a run does not settle after the end of the session | start, end, shutdown, 60000 | 1
a failed run does not settle before the host's own retries are over | ${RETRIES} | 3
a failed run settles after the last retry | ${RETRIES}, end error, 50 | 3 failed
a failed run does not settle before its retry is due | start, end error, 2999 | 1
a failed run settles if no retry follows | start, end error, 3000 | 1 failed
a run settles at once if the host reports it | start, end error, settled | 1 failed
a run settles only when the host reports it, on hosts that do | settled, start, end, 60000 | 1
a run settles as the host reports | settled, start, end, settled aborted | 1 aborted
a compaction counts as a run until it ends | compact, 0 | 1
a compaction settles | compact, compacted | 1 done
a compaction settles if it fails | compact, failed | 1 done
a compaction settles if it is aborted | compact, abort | 1 done
a compaction settles after five minutes, because older hosts do not report a failure | compact, 300000 | 1 done
a compaction during a run does not end the run | start, busy, compact, compacted, 10000 | 1
a compaction ends a run whose end older hosts do not report | start, compact, compacted, 10000 | 1 aborted
a compaction after a run belongs to the run | start, end, compact, 10000 | 1
a run settles when its compaction has ended | start, end, compact, 10000, compacted, 10000 | 1 done
`),
)("%s", (_, script = "", expected) => expect(outcome(script)).toBe(expected));

test("a dialog of another extension is reported, one of ours is not", async () => {
	const { facts, say } = host();
	say("ui_prompt_start", { kind: "confirm" });
	say("ui_prompt_end", { kind: "confirm" });
	await ownDialog(async () => say("ui_prompt_start", { kind: "select" }));
	expect(facts.dialogs).toEqual([true, false]);
});
