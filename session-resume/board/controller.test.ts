import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ENGLISH } from "../../session-core/words/en.ts";
import { until } from "../../test/host/until.ts";
import { aRow, factsAbout, liveState, NO_MARKS, someRows } from "./board.test-support.ts";
import { type BoardPorts, Controller } from "./controller.ts";
import type { DeleteOutcome } from "./delete.ts";
import type { FeedPorts } from "./feed.ts";

function running(more: Partial<BoardPorts> = {}) {
	const log: string[] = [];
	let feed: Pick<FeedPorts, "rows" | "scanned"> | undefined;
	const controller = new Controller(
		{ scope: "project", query: "", openPath: undefined, page: 10, words: ENGLISH },
		{
			here: "/code",
			facts: async (_act, row) => factsAbout(row),
			rename: async (_row, name) => ({ ok: true, name }),
			go: async () => ({ ok: true, told: "Went there." }),
			remove: async (_row, how) => ({ ok: true, how }),
			marks: () => NO_MARKS,
			setMark: () => ({ ok: true }),
			live: () => [],
			card: async (row) => void log.push(`card ${row.id}`),
			sessionFacts: () => Promise.reject(new Error("not read")),
			changed: () => undefined,
			close: (leaving) => void log.push(`close ${leaving?.path}`),
			feed: (ports) => {
				feed = ports;
				return {
					scan: (scope) => void log.push(`scan ${scope}`),
					settled: () => Promise.resolve(),
					stop: () => void log.push("stop"),
				};
			},
			...more,
		},
	);
	onTestFinished(() => controller.end());
	const notice = () => controller.board.notice?.text ?? "";
	const question = async () => {
		await until(() => controller.board.mode.type === "question", { what: "a question" });
		const { mode } = controller.board;
		return mode.type === "question" ? mode.text : "";
	};
	const says = (text: string) => until(() => notice().includes(text), { what: text });
	return {
		log,
		controller,
		rows: (count: number) => feed?.rows(someRows(count)),
		feed: () => feed,
		question,
		says,
	};
}

describe("a running board", () => {
	test("scans each scope once, and leaves for what is chosen", async () => {
		const it = running();
		it.rows(2);
		for (const key of ["scope", "scope", "scope", "down", "confirm"] as const) it.controller.press(key);
		await until(() => it.log.includes("close /sessions/app/r1.jsonl"), { what: "the end" });
		expect(it.log.slice(0, 3)).toEqual(["scan project", "scan all", "stop"]);
	});

	test("reads a card when the cursor rests, once for each state of a file", async () => {
		const it = running();
		const cards = () => it.log.filter((line) => line.startsWith("card"));
		it.rows(2);
		it.controller.press("down");
		await until(() => it.log.includes("card r1"), { what: "the card under the cursor" });
		it.controller.press("up");
		await until(() => it.log.includes("card r0"), { what: "the other card" });
		it.controller.press("down");
		it.feed()?.rows([aRow("r1", { name: "Session 1", changed: 7 })]);
		await until(() => cards().length === 3, { what: "the card of the new state" });
		expect(cards()).toEqual(["card r1", "card r0", "card r1"]);
	});

	test("reads no card while the cursor moves, and one as soon as it rests", () => {
		vi.useFakeTimers();
		onTestFinished(() => void vi.useRealTimers());
		const it = running();
		it.rows(5);
		const cards = () => it.log.filter((line) => line.startsWith("card"));
		for (let presses = 0; presses < 3; presses++) {
			it.controller.press("down");
			vi.advanceTimersByTime(80);
		}
		expect(cards()).toEqual([]);
		vi.advanceTimersByTime(20);
		expect(cards()).toEqual(["card r3"]);
	});

	test("sees within a second which sessions become live", () => {
		vi.useFakeTimers();
		onTestFinished(() => void vi.useRealTimers());
		let live: ReturnType<BoardPorts["live"]> = [];
		const it = running({ live: () => live });
		live = [liveState("r1")];
		vi.advanceTimersByTime(1_000);
		expect(it.controller.board.list.live).toHaveLength(1);
	});

	test("does nothing after its end, even if an act fails then", async () => {
		let refuse: (error: Error) => void = () => undefined;
		const looked = new Promise<never>((_, reject) => {
			refuse = reject;
		});
		const unhandled = vi.fn();
		process.on("unhandledRejection", unhandled);
		onTestFinished(() => void process.off("unhandledRejection", unhandled));
		const it = running({ facts: () => looked });
		it.rows(2);
		it.controller.press("confirm");
		it.controller.end();
		refuse(new Error("This extension ctx is stale"));
		await new Promise((resolve) => setImmediate(resolve));
		it.rows(5);
		expect(unhandled).not.toHaveBeenCalled();
		expect(it.controller.board.notice).toBeUndefined();
		expect(it.controller.board.list.items).toHaveLength(2);
	});
});

describe("an act", () => {
	test("that fails says why", async () => {
		const it = running({
			facts: () => Promise.reject(new Error("the disk is gone")),
			rename: () => Promise.reject(new Error("the disk is full")),
			setMark: () => ({ ok: false, detail: "EROFS" }),
		});
		it.rows(2);
		it.controller.press("confirm");
		await it.says("the disk is gone");
		it.controller.press("rename");
		it.controller.type("Better");
		it.controller.press("confirm");
		await it.says("Not renamed: the disk is full");
		it.controller.press("pin");
		await it.says("Not marked: EROFS");
	});

	test("that was overtaken by another one neither asks nor leaves", async () => {
		const answers: (() => void)[] = [];
		const it = running({
			facts: (_act, row) => new Promise((resolve) => answers.push(() => resolve(factsAbout(row)))),
		});
		it.rows(3);
		for (const key of ["confirm", "down", "confirm"] as const) it.controller.press(key);
		for (const answer of answers) answer();
		await until(() => it.log.includes("close /sessions/app/r1.jsonl"), { what: "the end" });
		expect(it.log.filter((line) => line.startsWith("close"))).toHaveLength(1);
	});

	test.each([
		["archive", true, "Archived. It is folded away once it is closed."],
		["archive", false, "Archived: folded away at the end of the list."],
		["pin", true, "Pinned to the top."],
	] as const)("%s, live: %s, says what has happened", (key, isLive, text) => {
		const it = running({ live: () => (isLive ? [liveState("r0")] : []) });
		it.rows(2);
		it.controller.press(key);
		expect(it.controller.board.notice?.text).toBe(text);
	});
});

describe("deleting", () => {
	const deleting = (...outcomes: DeleteOutcome[]) => {
		const log: string[] = [];
		const it = running({
			remove: async (row, how) => {
				log.push(`${row.id} ${how}`);
				return outcomes.shift() ?? { ok: true, how };
			},
		});
		it.rows(3);
		it.controller.press("delete");
		return { ...it, removed: log, titles: () => it.controller.board.list.sessions.map(({ title }) => title) };
	};

	test("is asked, and moves to the trash", async () => {
		const it = deleting();
		expect(await it.question()).toBe("Move “Session 0” to the trash?");
		it.controller.press("confirm");
		await it.says("Moved to the trash.");
		expect(it.titles()).toEqual(["Session 1", "Session 2"]);
		expect(it.removed).toEqual(["r0 trash"]);
	});

	test("of a session that has vanished meanwhile says so", async () => {
		const it = deleting({ ok: true, how: "gone" });
		await it.question();
		it.controller.press("confirm");
		await it.says("It was gone already.");
		expect(it.titles()).toHaveLength(2);
	});

	test("for good is asked if the trash refuses it, and is not one Enter away", async () => {
		const it = deleting({ ok: false, reason: "no_trash", detail: "full" });
		await it.question();
		it.controller.press("confirm");
		await until(() => it.removed.length === 1, { what: "the trash" });
		expect(await it.question()).toBe(
			"The trash did not take it (full). Delete “Session 0” for good? Nothing brings it back.",
		);
		it.controller.press("confirm");
		expect(it.titles()).toHaveLength(3);
		it.controller.press("delete");
		await it.question();
		it.controller.press("cancel");
		expect(it.removed).toEqual(["r0 trash"]);
	});

	test("for good is asked at once if there is no trash", async () => {
		const it = running({ facts: async (_act, row) => factsAbout(row, { trash: false }) });
		it.rows(1);
		it.controller.press("delete");
		expect(await it.question()).toMatch(/^There is no trash here\. Delete “Session 0” for good\?/);
		it.controller.press("down");
		it.controller.press("confirm");
		await it.says("Deleted.");
	});

	test("says why a session is kept", async () => {
		const it = deleting({ ok: false, reason: "kept", detail: "it is open in another pi." });
		await it.question();
		it.controller.press("confirm");
		await it.says("Not deleted: it is open in another pi.");
		expect(it.titles()).toHaveLength(3);
	});
});
