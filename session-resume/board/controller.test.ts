import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ENGLISH } from "../../session-core/words/en.ts";
import { until } from "../../test/host/until.ts";
import { aRow, liveState, NO_MARKS, someRows } from "./board.test-support.ts";
import { type ControllerDeps, runBoard } from "./controller.ts";
import type { FeedDeps } from "./feed.ts";

function running(more: Partial<ControllerDeps> = {}) {
	const log: string[] = [];
	let feedDeps: FeedDeps | undefined;
	const controller = runBoard({
		start: {
			scope: "project",
			query: "",
			current: { path: undefined, cwd: "/code" },
			page: 10,
			words: ENGLISH,
		},
		agentDir: "/agent",
		projectFolder: "/sessions/app",
		facts: (_act, row) => ({
			row,
			blocked: undefined,
			damage: undefined,
			cwdExists: true,
			writer: undefined,
			canGo: false,
			busy: false,
			trash: true,
			hostAsksForCwd: true,
		}),
		rename: (_row, name) => ({ ok: true, name }),
		go: async () => ({ ok: true, told: "Went there." }),
		remove: async (_row, how) => ({ ok: true, how }),
		marks: () => NO_MARKS,
		openTranscript: (row) => void log.push(`transcript ${row.id}`),
		setMark: () => ({ ok: true }),
		live: () => [],
		card: (row) => {
			log.push(`card ${row.id}`);
			return undefined;
		},
		setInput: (text) => void log.push(`input ${text}`),
		changed: () => undefined,
		close: (leaving) => void log.push(`close ${leaving?.path}`),
		feed: (deps) => {
			feedDeps = deps;
			return {
				scan: (scope) => void log.push(`scan ${scope}`),
				settled: () => Promise.resolve(),
				stop: () => void log.push("stop"),
			};
		},
		...more,
	});
	onTestFinished(() => controller.end());
	return { log, controller, feed: (event: Parameters<FeedDeps["dispatch"]>[0]) => feedDeps?.dispatch(event) };
}

describe("a running board", () => {
	test("scans, shows what comes, and leaves for what is chosen", () => {
		const it = running();
		it.feed({ type: "rows", rows: someRows(2) });
		it.controller.dispatch({ type: "key", key: "down" });
		it.controller.dispatch({ type: "key", key: "confirm" });
		expect(it.log).toEqual(["scan project", "stop", "close /sessions/app/r1.jsonl"]);
	});

	test("reads a card when the cursor rests, once for each state of a file", async () => {
		const it = running();
		const [first, second] = someRows(2);
		it.feed({ type: "rows", rows: someRows(2) });
		it.controller.dispatch({ type: "key", key: "down" });
		await until(() => it.log.includes("card r1"), { what: "the card under the cursor" });
		it.controller.dispatch({ type: "key", key: "up" });
		await until(() => it.log.includes("card r0"), { what: "the other card" });
		it.controller.dispatch({ type: "key", key: "down" });
		it.feed({ type: "rows", rows: [aRow("r1", { name: "Session 1", changed: 7 })] });
		await until(() => it.log.filter((line) => line === "card r1").length === 2, {
			what: "the card of the new state",
		});
		expect(it.log.filter((line) => line.startsWith("card"))).toEqual(["card r1", "card r0", "card r1"]);
		expect([first?.id, second?.id]).toEqual(["r0", "r1"]);
	});

	test("reads no card while the cursor moves on, and one as soon as it rests", () => {
		vi.useFakeTimers();
		onTestFinished(() => void vi.useRealTimers());
		const it = running();
		it.feed({ type: "rows", rows: someRows(5) });
		const cards = () => it.log.filter((line) => line.startsWith("card"));
		for (let presses = 0; presses < 3; presses++) {
			it.controller.dispatch({ type: "key", key: "down" });
			vi.advanceTimersByTime(80);
		}
		expect(cards()).toEqual([]);
		vi.advanceTimersByTime(20);
		expect(cards()).toEqual(["card r3"]);
	});

	test("a card that cannot be made leaves the board as it is", async () => {
		let asked = 0;
		const it = running({
			card: () => {
				asked++;
				throw new Error("nobody foresaw this file");
			},
		});
		it.feed({ type: "rows", rows: someRows(1) });
		await until(() => it.controller.board.previews.size === 1, { what: "the answer" });
		it.controller.dispatch({ type: "key", key: "down" });
		expect(asked).toBe(1);
	});

	test("sees within a second which sessions become live", () => {
		vi.useFakeTimers();
		onTestFinished(() => void vi.useRealTimers());
		let live: ReturnType<ControllerDeps["live"]> = [];
		const it = running({ live: () => live });
		live = [liveState("r1")];
		vi.advanceTimersByTime(1_000);
		expect(it.controller.board.live).toHaveLength(1);
	});

	test("says why a row cannot be opened where looking at it fails", async () => {
		const it = running({ facts: () => Promise.reject(new Error("the disk is gone")) });
		it.feed({ type: "rows", rows: someRows(2) });
		it.controller.dispatch({ type: "key", key: "confirm" });
		await until(() => it.controller.board.notice !== undefined, { what: "a line on the screen" });
		expect(JSON.stringify(it.controller.board.notice)).toContain("the disk is gone");
	});

	test("says why a session was not deleted where the trash fails", async () => {
		const it = running({ remove: () => Promise.reject(new Error("EIO: i/o error, unlink '/s/a'")) });
		it.feed({ type: "rows", rows: someRows(2) });
		it.controller.dispatch({ type: "key", key: "delete" });
		it.controller.dispatch({ type: "key", key: "confirm" });
		await until(() => JSON.stringify(it.controller.board.notice ?? "").includes("EIO"), { what: "why" });
	});

	test("asks nothing more, and fails at nothing, where its session was replaced while it looked", async () => {
		let refuse: (error: Error) => void = () => undefined;
		const looked = new Promise<never>((_, reject) => {
			refuse = reject;
		});
		const unhandled = vi.fn();
		process.on("unhandledRejection", unhandled);
		onTestFinished(() => void process.off("unhandledRejection", unhandled));
		const it = running({ facts: () => looked });
		it.feed({ type: "rows", rows: someRows(2) });
		it.controller.dispatch({ type: "key", key: "confirm" });
		it.controller.end();
		refuse(new Error("This extension ctx is stale"));
		await new Promise((resolve) => setImmediate(resolve));
		expect(unhandled).not.toHaveBeenCalled();
		expect(it.controller.board.notice).toBeUndefined();
	});

	test("does nothing after its end", () => {
		const it = running();
		it.controller.end();
		it.feed({ type: "rows", rows: someRows(2) });
		expect(it.controller.board.items).toEqual([]);
	});
});
