import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Gate } from "../../../test/host/gate.ts";
import { StartQueue, startWork } from "./start-work.ts";

function contextOf(hasUI: boolean) {
	const said: string[] = [];
	const ui = { notify: (text: string) => void said.push(text) };
	// Only `notify` is called on this object.
	return { said, ctx: { hasUI, ui: ui as unknown as ExtensionContext["ui"] } };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the work of a command", () => {
	test("does not start in a session that the host has already replaced", () => {
		const stale = Object.defineProperty(contextOf(true).ctx, "hasUI", {
			get: () => {
				throw new Error("This extension ctx is stale");
			},
		});
		const work = vi.fn(async () => undefined);
		expect(startWork(stale, work, { name: "recap", isOver: () => false })).toBeUndefined();
		expect(work).not.toHaveBeenCalled();
	});

	test("is awaited if the process would end without it", async () => {
		const { ctx } = contextOf(false);
		const failing = () => Promise.reject(new Error("no"));
		await expect(startWork(ctx, failing, { name: "recap", isOver: () => false })).rejects.toThrow("no");
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
			isOver: () => isOver,
		});
		await turn();
		expect(it.said).toEqual(said);
	});
});

describe("what starts after the host's first paint", () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());
	const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

	function queued(start: (isOver: () => boolean) => Promise<string | undefined> = async () => "it") {
		const failed: string[] = [];
		const starts = vi.fn(start);
		const queue = new StartQueue(100);
		const part = queue.add(starts, { failed: (why) => failed.push(why) });
		return { queue, part, starts, failed };
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

	test("does not start once its session is over, and learns of that while it is starting", async () => {
		const idle = queued();
		idle.queue.end();
		await pass(1_000);
		expect(idle.starts).not.toHaveBeenCalled();
		const gate = new Gate();
		const busy = queued((isOver) => gate.opened.then(() => (isOver() ? undefined : "it")));
		const begun = busy.part.begin();
		busy.queue.end();
		gate.open();
		await begun;
		expect(busy.part.started).toBeUndefined();
	});

	test("that cannot start says why in one line, unless its session is over, and the next part starts", async () => {
		const broken = queued(() => Promise.reject(new Error("no such module\nat line 1")));
		const next = broken.queue.add(async () => "next");
		await pass(100);
		expect([broken.failed, next.started]).toEqual([["no such module"], "next"]);
		const over = queued(() => Promise.reject(new Error("no")));
		over.queue.end();
		await over.part.begin();
		expect(over.failed).toEqual([]);
	});

	test("may add a part, which starts after all others", async () => {
		const order: string[] = [];
		const queue = new StartQueue(100);
		queue.add(async () => {
			order.push("first");
			queue.add(async () => void order.push("last"));
		});
		queue.add(async () => void order.push("second"));
		await pass(100);
		expect(order).toEqual(["first", "second", "last"]);
	});
});
