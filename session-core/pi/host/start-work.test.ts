import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Gate } from "../../../test/host/answer.ts";
import { StartQueue, startWork } from "./start-work.ts";

function contextOf(hasUI: boolean) {
	const said: string[] = [];
	const ui = { notify: (text: string) => void said.push(text) };
	// Only `notify` is called on this object.
	return { said, ctx: { hasUI, ui: ui as unknown as ExtensionContext["ui"] } };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the work of a command", () => {
	test("is awaited if the process would end without it", async () => {
		const { ctx } = contextOf(false);
		const failing = () => Promise.reject(new Error("no"));
		await expect(
			startWork(ctx, failing, { name: "recap", over: new AbortController().signal }),
		).rejects.toThrow("no");
	});

	test.each([
		[
			false,
			[expect.stringMatching(/^recap: an unexpected error occurred \(Error in [\w.-]+:\d+\)\. If it occurs/)],
		],
		[true, []],
	])("that fails is reported unless its session is over (%s)", async (isOver, said) => {
		const it = contextOf(true);
		startWork(it.ctx, () => Promise.reject(new Error("disk\nat line 1")), {
			name: "recap",
			over: isOver ? AbortSignal.abort() : new AbortController().signal,
		});
		await turn();
		expect(it.said).toEqual(said);
	});
});

describe("what starts after the host's first paint", () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());
	const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

	function queued(start: () => Promise<string> = async () => "it") {
		const failed: string[] = [];
		const starts = vi.fn(start);
		const session = new AbortController();
		const queue = new StartQueue(100, session.signal);
		const part = queue.add(starts, { failed: (why) => failed.push(why) });
		return { queue, part, starts, failed, end: () => session.abort() };
	}

	test("starts automatically then, one part after another", async () => {
		const gate = new Gate();
		const { queue, part, starts } = queued(() => gate.opened.then(() => "it"));
		const second = queue.add(async () => "second");
		await pass(99);
		expect(starts).not.toHaveBeenCalled();
		await pass(1);
		expect([starts.mock.calls.length, second.started]).toEqual([1, undefined]);
		gate.open();
		await pass(0);
		expect([part.started, second.started]).toEqual(["it", "second"]);
	});

	test("does not start once its session is over", async () => {
		const { starts, end } = queued();
		end();
		await pass(1_000);
		expect(starts).not.toHaveBeenCalled();
	});

	test("that cannot start says why in one line, unless its session is over, and the next part starts", async () => {
		const broken = queued(() => Promise.reject(new Error("no such module\nat line 1")));
		const next = broken.queue.add(async () => "next");
		await pass(100);
		expect([broken.failed, next.started]).toEqual([["no such module"], "next"]);
		const over = queued(() => Promise.reject(new Error("no")));
		over.end();
		await over.part.begin();
		expect(over.failed).toEqual([]);
	});

	test("may add a part, which starts after all others", async () => {
		const order: string[] = [];
		const queue = new StartQueue(100, new AbortController().signal);
		queue.add(async () => {
			order.push("first");
			queue.add(async () => void order.push("last"));
		});
		queue.add(async () => void order.push("second"));
		await pass(100);
		expect(order).toEqual(["first", "second", "last"]);
	});
});
