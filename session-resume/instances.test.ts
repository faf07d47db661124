import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { registerInstance, waitForInstance } from "./instances.ts";
import { createRunWatch } from "./run-watch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const instance = () => ({ goOn: async () => undefined });

describe("the instance of a session that was just opened", () => {
	test("is found if it is up, waited for if it is not, and forgotten once it is over", async () => {
		const early = instance();
		const withdraw = registerInstance("s1", early);
		expect(await waitForInstance("s1")).toBe(early);
		withdraw();
		const found = waitForInstance("s1");
		const late = instance();
		const withdrawLate = registerInstance("s1", late);
		expect(await found).toBe(late);
		withdrawLate();
	});

	test("is given up where none comes up", async () => {
		const found = waitForInstance("nobody", 100);
		await vi.advanceTimersByTimeAsync(100);
		expect(await found).toBeUndefined();
	});

	test("may take five seconds to come up", async () => {
		const waits: string[] = [];
		void waitForInstance("slow").then((found) => waits.push(found ? "found" : "given up"));
		await vi.advanceTimersByTimeAsync(4_999);
		expect(waits).toEqual([]);
		await vi.advanceTimersByTimeAsync(1);
		expect(waits).toEqual(["given up"]);
	});

	test("is not taken back by the one before it", async () => {
		const withdrawOld = registerInstance("s2", instance());
		const current = instance();
		const withdraw = registerInstance("s2", current);
		withdrawOld();
		expect(await waitForInstance("s2")).toBe(current);
		withdraw();
	});
});

describe("the end of a run", () => {
	function runWatch(idleMs = 0) {
		const told: string[] = [];
		let busy = false;
		const it = createRunWatch({
			idleMs,
			isBusy: () => busy,
			settled: () => told.push("settled"),
			idle: () => told.push("idle"),
		});
		const work = (works: boolean) => {
			busy = works;
		};
		return { it, told, work };
	}

	test("is told once the agent rests, and not while the host tries again", async () => {
		const { it, told, work } = runWatch();
		it.ended();
		work(true);
		await vi.advanceTimersByTimeAsync(2_000);
		expect(told).toEqual([]);
		work(false);
		await vi.advanceTimersByTimeAsync(2_000);
		expect(told).toEqual(["settled"]);
	});

	test("is told soon after it, the host's own work being done", async () => {
		const { it, told } = runWatch();
		it.ended();
		await vi.advanceTimersByTimeAsync(100);
		expect(told).toEqual([]);
		await vi.advanceTimersByTimeAsync(100);
		expect(told).toEqual(["settled"]);
	});

	test("is taken back by a new run, and told at once where the host says so itself", async () => {
		const { it, told } = runWatch();
		it.ended();
		it.started();
		await vi.advanceTimersByTimeAsync(2_000);
		expect(told).toEqual([]);
		it.over();
		expect(told).toEqual(["settled"]);
	});

	test("begins the idle time, which a new run begins anew", async () => {
		const { it, told } = runWatch(60_000);
		it.over();
		await vi.advanceTimersByTimeAsync(59_000);
		it.started();
		await vi.advanceTimersByTimeAsync(59_000);
		it.over();
		await vi.advanceTimersByTimeAsync(60_000);
		expect(told).toEqual(["settled", "settled", "idle"]);
		it.cancel();
	});

	test("is not the end of an idle time of two months, which no timer of the platform can hold", async () => {
		const { it, told } = runWatch(60 * 24 * 3_600_000);
		it.over();
		await vi.advanceTimersByTimeAsync(3_600_000);
		expect(told).toEqual(["settled"]);
		it.cancel();
	});
});
