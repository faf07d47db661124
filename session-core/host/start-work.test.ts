import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { describe, expect, test, vi } from "vitest";
import { Gate } from "../../test/host/gate.ts";
import { startLater, startWork } from "./start-work.ts";

function contextOf(hasUI: boolean) {
	const said: string[] = [];
	const ui = { notify: (text: string) => void said.push(text) };
	// Only `notify` is used.
	return { said, ctx: { hasUI, ui: ui as unknown as ExtensionContext["ui"] } };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the work of a command", () => {
	test("does not block a user who continues to type", async () => {
		const gate = new Gate();
		const { ctx } = contextOf(true);
		const done: string[] = [];
		const work = async () => {
			await gate.opened;
			done.push("done");
		};
		expect(startWork(ctx, work, { name: "recap", isOver: () => false })).toBeUndefined();
		gate.open();
		await turn();
		expect(done).toEqual(["done"]);
	});

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

	test("is waited for where the process would end without it", async () => {
		const { ctx } = contextOf(false);
		const failing = () => Promise.reject(new Error("no"));
		await expect(startWork(ctx, failing, { name: "recap", isOver: () => false })).rejects.toThrow("no");
	});

	test.each([
		[false, ["recap: failed (disk)."]],
		[true, []],
	])("that fails is said, unless its session is over (%s)", async (isOver, said) => {
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
	function deferred(start: (isOver: () => boolean) => Promise<string | undefined> = async () => "it") {
		const failed: string[] = [];
		const starts = vi.fn(start);
		const later = startLater(starts, { afterMs: 100, failed: (why) => failed.push(why) });
		return { later, starts, failed };
	}

	test("starts then by itself", async () => {
		vi.useFakeTimers();
		const { later, starts } = deferred();
		await vi.advanceTimersByTimeAsync(99);
		expect([starts.mock.calls.length, later.started]).toEqual([0, undefined]);
		await vi.advanceTimersByTimeAsync(1);
		expect(later.started).toBe("it");
		vi.useRealTimers();
	});

	test("starts at once for what cannot wait, and only once", async () => {
		const { later, starts } = deferred();
		await Promise.all([later.begin(), later.begin()]);
		expect(later.started).toBe("it");
		expect(starts).toHaveBeenCalledOnce();
	});

	test("does not start by itself once its session is over, and says so to what is starting", async () => {
		vi.useFakeTimers();
		const idle = deferred();
		idle.later.end();
		await vi.advanceTimersByTimeAsync(1_000);
		expect(idle.starts).not.toHaveBeenCalled();
		vi.useRealTimers();
		const busy = deferred(async (isOver) => {
			await turn();
			return isOver() ? undefined : "it";
		});
		const begun = busy.later.begin();
		busy.later.end();
		await begun;
		expect(busy.later.started).toBeUndefined();
	});

	test("that cannot start says why in one line, unless its session is over", async () => {
		const broken = deferred(() => Promise.reject(new Error("no such module\nat line 1")));
		await broken.later.begin();
		expect(broken.failed).toEqual(["no such module"]);
		const over = deferred(() => Promise.reject(new Error("no")));
		over.later.end();
		await over.later.begin();
		expect(over.failed).toEqual([]);
	});
});
