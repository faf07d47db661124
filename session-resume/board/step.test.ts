import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ACTS } from "./acts.ts";
import { aHit, aRow, liveState, MINUTE, NOW, someRows, TestBoard } from "./board.test-support.ts";
import { keyOf } from "./items.ts";
import { matching } from "./match.ts";
import type { BoardEvent, BoardKey, Facts } from "./types.ts";

describe("a board that opens", () => {
	test("asks for its scan and shows rows as they come", () => {
		const it = new TestBoard();
		expect(it.taken()).toEqual([{ type: "scan", scope: "project" }]);
		it.do({ type: "rows", rows: someRows(2) });
		expect(it.list).toEqual(["Session 0", "Session 1"]);
	});

	test("with words begins filtered, and they stand in the input line", () => {
		const it = new TestBoard({ query: "session 1" });
		expect(it.taken()).toEqual([
			{ type: "input", text: "session 1" },
			{ type: "scan", scope: "project" },
		]);
		it.do({ type: "rows", rows: someRows(3) });
		expect(it.list).toEqual(["Session 1", "search"]);
		expect(it.at).toBe("Session 1");
	});

	test("stands on the first session that is not open here already", () => {
		const it = new TestBoard({ rows: someRows(3), current: "/sessions/app/r0.jsonl" });
		expect(it.at).toBe("Session 1");
	});
});

describe("moving", () => {
	test("keys move by one, by a page, to the ends, and never out of the list", () => {
		const it = new TestBoard({ rows: someRows(25), page: 10 });
		expect(it.press("up").at).toBe("Session 0");
		expect(it.press("down", "page_down").at).toBe("Session 11");
		expect(it.press("end", "down").at).toBe("Session 24");
		expect(it.press("page_up").at).toBe("Session 14");
		expect(it.press("home").at).toBe("Session 0");
	});

	test("the cursor stays on its session when the list changes around it, and on its line if the list is scrolled", () => {
		const it = new TestBoard({ rows: someRows(30), page: 5 }).press("end", "up", "up", "up", "up");
		const line = it.board.cursor - it.board.top;
		it.do({ type: "rows", rows: [aRow("new", { name: "New", modified: NOW + 1 })] });
		expect(it.at).toBe("Session 25");
		expect(it.board.cursor - it.board.top).toBe(line);
	});

	test("at the top of the list, what is new above is seen", () => {
		const it = new TestBoard({ rows: someRows(30), page: 5 }).press("down");
		it.do({ type: "rows", rows: [aRow("new", { name: "New", modified: NOW + 1 })] });
		expect(it.at).toBe("Session 1");
		expect(it.board.top).toBe(0);
	});

	test("when its session is gone, the cursor stays where it was", () => {
		const it = new TestBoard({ rows: someRows(3) }).press("down");
		it.do({
			type: "scanned",
			scope: "project",
			seen: new Set(["/sessions/app/r0.jsonl", "/sessions/app/r2.jsonl"]),
		});
		expect(it.list).toEqual(["Session 0", "Session 2"]);
		expect(it.at).toBe("Session 2");
	});
});

describe("folding", () => {
	const rows = [
		aRow("main", { name: "Main" }),
		aRow("job", { name: "Job", kind: "headless" }),
		aRow("child", { name: "Child", kind: "child" }),
		aRow("fork", { name: "Fork", kind: "fork" }),
	];

	test("headless and child sessions are behind one row, which opens and closes", () => {
		const it = new TestBoard({ rows });
		expect(it.list).toEqual(["Fork", "Main", "fold"]);
		expect(it.press("end", "confirm").list).toEqual(["Fork", "Main", "fold", "Child", "Job"]);
		expect(it.at).toBe("fold");
		expect(it.press("confirm").list).toEqual(["Fork", "Main", "fold"]);
	});

	test("a query looks behind it, too", () => {
		const it = new TestBoard({ rows }).type("child");
		expect(it.list).toEqual(["fold", "search"]);
		expect(it.press("confirm").list).toEqual(["fold", "Child", "search"]);
	});
});

describe("marks", () => {
	const rows = someRows(4);
	const of = (...ids: number[]) => new Set(ids.map((id) => rows[id]?.mark ?? ""));

	test("the archive is folded away, opens and closes, and nothing live is in it", () => {
		const it = new TestBoard({ rows }).do({ type: "marks", marks: { pinned: of(), archived: of(0, 1) } });
		expect(it.list).toEqual(["Session 2", "Session 3", "fold"]);
		expect(it.board.count).toBe(2);
		expect(it.press("end", "confirm").list).toEqual([
			"Session 2",
			"Session 3",
			"fold",
			"Session 0",
			"Session 1",
		]);
		it.do({ type: "live", live: [liveState("r1", { state: "needs_you" })] });
		expect(it.list).toEqual(["Session 1", "Session 2", "Session 3", "fold", "Session 0"]);
	});

	test("the keys ask for a mark, and for its end where it is set; nothing is shown before it is so", () => {
		const it = new TestBoard({ rows });
		it.taken();
		expect(it.press("archive").taken()).toMatchObject([
			{ type: "mark", mark: "archived", on: true, row: { id: "r0" } },
		]);
		expect(it.list).toHaveLength(4);
		it.do({ type: "marks", marks: { pinned: of(2), archived: of() }, told: { mark: "pinned", on: true } });
		expect(it.board.notice?.text).toBe("Pinned to the top.");
		expect(it.press("home").press("pin").taken()).toMatchObject([
			{ mark: "pinned", on: false, row: { id: "r2" } },
		]);
	});

	test("what is pinned is on top, and the cursor stays on its session", () => {
		const it = new TestBoard({ rows }).press("down");
		it.do({ type: "marks", marks: { pinned: of(3), archived: of() } });
		expect(it.list).toEqual(["Session 3", "Session 0", "Session 1", "Session 2"]);
		expect(it.at).toBe("Session 1");
	});

	test("a mark that cannot be set is said", () => {
		const it = new TestBoard({ rows }).do({ type: "not_marked", detail: "EROFS" });
		expect(it.board.notice).toEqual({ text: "Not marked: EROFS", kind: "warning" });
	});
});

describe("order and filter by key", () => {
	const rows = [
		aRow("b", { name: "beta", modified: NOW - MINUTE }),
		aRow("a", { name: "Alpha", modified: NOW - 2 * MINUTE }),
		aRow("fork", {
			firstPrompt: "zeta",
			kind: "fork",
			parentSession: "/sessions/app/a.jsonl",
			modified: NOW,
		}),
	];

	test("the order goes round, and the cursor stays on its session", () => {
		const it = new TestBoard({ rows }).do({ type: "live", live: [liveState("a", { state: "needs_you" })] });
		it.press("home", "down");
		const seen = ["needs_you", "newest", "threads", "name", "project", "needs_you"].map((sort) => {
			expect(it.board.sort).toBe(sort);
			expect(it.at).toBe("zeta");
			const { list } = it;
			it.press("sort");
			return list.join(" ");
		});
		expect(seen).toEqual([
			"Alpha zeta beta",
			"zeta beta Alpha",
			"Alpha zeta beta",
			"Alpha beta zeta",
			"zeta beta Alpha",
			"Alpha zeta beta",
		]);
	});

	test("only those with a name, and all again; the count follows", () => {
		const it = new TestBoard({ rows }).press("named");
		expect(it.list).toEqual(["beta", "Alpha"]);
		expect(it.board.count).toBe(2);
		expect(it.press("named").list).toHaveLength(3);
	});

	test("a query is answered in the order of its matches, threads or not", () => {
		const it = new TestBoard({ rows }).press("sort", "sort").type("a");
		expect(it.board.items.every((item) => !("branch" in item))).toBe(true);
	});
});

describe("a session that is open elsewhere", () => {
	const found = (canGo: boolean, damage?: "replaced") => {
		const rows = someRows(3);
		const [row = aRow("r0")] = rows;
		const it = new TestBoard({ rows, current: "/sessions/app/r2.jsonl" });
		it.do({ type: "live", live: [liveState("r0", { canGo })] });
		it.taken();
		const writer = "another pi (pid 4242, working)";
		const facts = { row, blocked: undefined, damage, cwdExists: true, writer, canGo, busy: false };
		const all: Facts = { ...facts, trash: false, hostAsksForCwd: true };
		it.do({ type: "checked", act: "open", facts: all });
		return { it, facts: all };
	};

	test("is gone to with Enter, and the board stays for the next one", () => {
		const { it, facts } = found(true);
		expect(it.taken()).toEqual([{ type: "go", facts }]);
		it.do({ type: "went", facts, outcome: { ok: true, told: "Went to its tmux pane." } });
		expect(it.board.mode.type).toBe("list");
		expect(it.board.notice).toEqual({ text: "Went to its tmux pane.", kind: "info" });
		expect(it.press("fork").taken()).toMatchObject([{ type: "check", act: "fork" }]);
	});

	test("whose terminal did not come to the front is said where it is, and what else can be done", () => {
		const { it, facts } = found(true);
		it.do({ type: "went", facts, outcome: { ok: false, reason: "no_way", told: "It is open in pid 4242." } });
		expect(it.board.mode).toMatchObject({
			question: {
				text: expect.stringMatching(/^It is open in pid 4242\. This session is open in another pi/),
				choices: [expect.anything(), { label: "Open anyway" }, { label: "Cancel" }],
			},
		});
	});

	test.each([
		["cannot be gone to", false, undefined],
		["is damaged", true, "replaced"],
	] as const)("that %s is asked about", (_what, canGo, damage) => {
		const { it } = found(canGo, damage);
		expect(it.taken()).toEqual([]);
		expect(it.board.mode.type).toBe("question");
	});

	test("says with its key what Enter does", () => {
		const label = (canGo: boolean) => {
			const { board } = found(canGo).it;
			return ACTS.find(({ key }) => key === "confirm")?.label(board);
		};
		expect([label(true), label(false)]).toEqual(["go there", "resume"]);
	});
});

describe("deleting", () => {
	const asked = (trash: boolean) => {
		const rows = someRows(3);
		const [row = aRow("r0")] = rows;
		const it = new TestBoard({ rows, current: "/sessions/app/r2.jsonl" });
		it.taken();
		expect(it.press("delete").taken()).toMatchObject([{ type: "check", act: "delete", row: { id: "r0" } }]);
		const facts = {
			row,
			blocked: undefined,
			damage: undefined,
			cwdExists: true,
			writer: undefined,
			canGo: false,
			busy: false,
		};
		it.do({ type: "checked", act: "delete", facts: { ...facts, trash, hostAsksForCwd: true } });
		return { it, row };
	};

	test("is asked, and moves to the trash with Enter where there is one", () => {
		const { it, row } = asked(true);
		expect(it.board.mode).toMatchObject({
			type: "question",
			question: { text: "Move “Session 0” to the trash?" },
		});
		expect(it.press("confirm").taken()).toEqual([{ type: "delete", row, how: "trash" }]);
		it.do({ type: "deleted", row, outcome: { ok: true, how: "trash" } });
		expect(it.list).toEqual(["Session 1", "Session 2"]);
		expect(it.at).toBe("Session 1");
		expect(it.board.notice?.text).toBe("Moved to the trash.");
	});

	test("of one that had vanished meanwhile says so", () => {
		const { it, row } = asked(true);
		it.press("confirm").do({ type: "deleted", row, outcome: { ok: true, how: "gone" } });
		expect(it.list).toEqual(["Session 1", "Session 2"]);
		expect(it.board.notice?.text).toBe("It was gone already.");
	});

	test("for good is said in the question, and is not one Enter away", () => {
		const { it, row } = asked(false);
		expect(it.board.mode).toMatchObject({
			question: { text: "There is no trash here. Delete “Session 0” for good? Nothing brings it back." },
		});
		expect(it.press("confirm").taken()).toEqual([]);
		const other = asked(false);
		expect(other.it.press("down", "confirm").taken()).toEqual([{ type: "delete", row, how: "for_good" }]);
	});

	test("a trash that does not take it leads to the question for good", () => {
		const { it, row } = asked(true);
		it.press("confirm").do({
			type: "deleted",
			row,
			outcome: { ok: false, reason: "no_trash", detail: "full" },
		});
		expect(it.board.mode).toMatchObject({
			question: {
				text: "The trash did not take it (full). Delete “Session 0” for good? Nothing brings it back.",
			},
		});
		expect(it.press("confirm").list).toHaveLength(3);
	});

	test("says why a session is kept; the one that is open here is never asked about", () => {
		const { it, row } = asked(true);
		it.press("cancel").do({
			type: "deleted",
			row,
			outcome: { ok: false, reason: "kept", detail: "it is open in another pi." },
		});
		expect(it.board.notice?.text).toBe("Not deleted: it is open in another pi.");
		it.taken();
		expect(it.press("end", "delete").taken()).toEqual([]);
		expect(it.board.notice?.text).toBe("Not deleted: this session is open here.");
	});
});

test("a transcript opens for the session under the cursor, Esc comes back, Enter goes on with it", () => {
	const it = new TestBoard({ rows: someRows(2) }).press("down");
	it.taken();
	expect(it.press("transcript").taken()).toMatchObject([{ type: "transcript", row: { id: "r1" } }]);
	expect(it.press("up", "rename").board.mode.type).toBe("transcript");
	expect(it.at).toBe("Session 1");
	expect(it.press("cancel").board.mode.type).toBe("list");
	expect(it.press("transcript", "confirm").taken()).toMatchObject([
		{},
		{ type: "check", act: "open", row: { id: "r1" } },
	]);
});

test("the list of keys closes with any key", () => {
	const it = new TestBoard({ rows: someRows(1) }).press("keys");
	it.taken();
	expect(it.board.mode.type).toBe("keys");
	expect(it.press("confirm").board.mode.type).toBe("list");
	expect(it.taken()).toEqual([]);
});

describe("filtering", () => {
	test("the best match is under the cursor, and going on from it is one Enter", () => {
		const it = new TestBoard({ rows: someRows(12) }).press("end").type("session 1");
		expect(it.at).toBe("Session 1");
		it.taken();
		expect(it.press("confirm").taken()).toMatchObject([
			{ type: "check", act: "open", row: { title: "Session 1" } },
		]);
	});

	test("thousands of rows are matched in slices, with the same result", () => {
		const rows = someRows(3_500);
		const it = new TestBoard({ rows });
		for (const query of ["session 12", "34 session", "sess 9", ""]) {
			const listed = it.type(query).board.items.flatMap((item) => ("row" in item ? [item.row] : []));
			expect(listed).toEqual(matching(rows, query));
		}
	});

	test("what comes while a query stands is matched, too", () => {
		const it = new TestBoard({ rows: someRows(2) }).type("berlin");
		expect(it.list).toEqual(["search"]);
		it.do({ type: "rows", rows: [aRow("b", { name: "Berlin" })] });
		expect(it.list).toEqual(["Berlin", "search"]);
	});
});

describe("searching everything that was said", () => {
	const [row = aRow("none")] = someRows(1);
	const searching = () => {
		const it = new TestBoard({ rows: someRows(3) }).type("needle").press("search");
		it.taken();
		return it;
	};

	test("starts with Ctrl+F or Enter on its row; hits come as they are found", () => {
		const it = new TestBoard({ rows: someRows(3) }).type("needle");
		it.taken();
		expect(it.press("end", "confirm").taken()).toEqual([{ type: "search", query: "needle" }]);
		it.do({ type: "hits", query: "needle", hits: [aHit(row)], searched: 1, done: false });
		expect(it.list).toEqual(["Session 0"]);
		expect(it.board.search).toMatchObject({ running: true, searched: 1 });
		it.do({ type: "hits", query: "needle", hits: [], searched: 3, done: true });
		expect(it.board.search).toMatchObject({ running: false, searched: 3 });
	});

	test("Esc gives up the search, then the query, then the board", () => {
		const it = searching();
		expect(it.press("cancel").taken()).toEqual([{ type: "stop_search" }]);
		expect(it.board).toMatchObject({ search: undefined, query: "needle" });
		expect(it.press("cancel").taken()).toEqual([{ type: "input", text: "" }]);
		expect(it.list).toHaveLength(3);
		expect(it.press("cancel").taken()).toEqual([{ type: "close", leaving: undefined }]);
	});

	test("another letter ends it, and late hits are not shown", () => {
		const it = searching().type("needles");
		expect(it.taken()).toEqual([{ type: "stop_search" }]);
		it.do({ type: "hits", query: "needle", hits: [aHit(row)], searched: 3, done: true });
		expect(it.list).toEqual(["search"]);
	});

	test("without words it says what is missing", () => {
		const it = new TestBoard({ rows: someRows(1) }).press("search");
		expect(it.board.notice?.text).toMatch(/Type what to search for/);
	});

	test("a hit is a session: it opens, forks and is renamed like any other", () => {
		const it = searching().do({ type: "hits", query: "needle", hits: [aHit(row)], searched: 1, done: false });
		expect(it.press("fork").taken()).toMatchObject([
			{ type: "check", act: "fork", row: { title: "Session 0" } },
		]);
	});
});

describe("the scope", () => {
	const rows = [...someRows(2), aRow("far", { name: "Far", here: false, modified: NOW + 1 })];

	test("Tab lists all projects, scanned once, with the cursor on its session", () => {
		const it = new TestBoard({ rows }).press("down");
		it.taken();
		expect(it.press("scope").taken()).toEqual([{ type: "scan", scope: "all" }]);
		expect(it.list).toEqual(["Far", "Session 0", "Session 1"]);
		expect(it.at).toBe("Session 1");
		expect(it.press("scope", "scope").taken()).toEqual([]);
	});

	test("a scan of the project forgets nothing of the others", () => {
		const it = new TestBoard({ rows })
			.do({ type: "scanned", scope: "project", seen: new Set() })
			.press("scope");
		expect(it.list).toEqual(["Far"]);
	});
});

describe("renaming", () => {
	test("edits the name on the input line, and gives the query back afterwards", () => {
		const it = new TestBoard({ rows: someRows(2) }).type("session");
		it.taken();
		expect(it.press("rename").taken()).toEqual([{ type: "input", text: "Session 0" }]);
		const named = it.do({ type: "named", text: " Better " }).taken();
		expect(named).toMatchObject([
			{ type: "input", text: "session" },
			{ type: "rename", row: { id: "r0" }, name: "Better" },
		]);
		it.do({ type: "renamed", path: "/sessions/app/r0.jsonl", outcome: { ok: true, name: "Better" } });
		expect(it.board.order[0]).toMatchObject({ title: "Better", titleSource: "manual" });
		expect(it.board.notice?.text).toBe("Renamed.");
	});

	test("a first prompt is not a name to begin from", () => {
		const it = new TestBoard({ rows: [aRow("one")] });
		it.taken();
		expect(it.press("rename").taken()).toEqual([{ type: "input", text: "" }]);
	});

	test("Esc leaves the name, an empty one is refused, the same one changes nothing", () => {
		const it = new TestBoard({ rows: someRows(1) }).press("rename");
		it.do({ type: "named", text: "  " });
		expect(it.board.notice?.text).toMatch(/cannot be empty/);
		it.taken();
		expect(it.press("cancel").taken()).toEqual([{ type: "input", text: "" }]);
		expect(it.press("rename").do({ type: "named", text: "Session 0" }).taken()).toHaveLength(2);
	});

	test("a failure is said", () => {
		const it = new TestBoard({ rows: someRows(1) });
		it.do({
			type: "renamed",
			path: "/sessions/app/r0.jsonl",
			outcome: { ok: false, detail: "the disk is full" },
		});
		expect(it.board.notice).toEqual({ text: "Not renamed: the disk is full", kind: "warning" });
	});
});

test("the session that is open here is not opened again", () => {
	const it = new TestBoard({ rows: someRows(1), current: "/sessions/app/r0.jsonl" });
	it.taken();
	expect(it.press("confirm").taken()).toEqual([]);
	expect(it.board.notice?.text).toMatch(/open here already/);
});

test("live states put their sessions on top without moving the cursor off its own", () => {
	const it = new TestBoard({ rows: someRows(4) }).press("down");
	it.do({ type: "live", live: [liveState("r3", { state: "needs_you" })] });
	expect(it.list).toEqual(["Session 3", "Session 0", "Session 1", "Session 2"]);
	expect(it.at).toBe("Session 1");
});

describe("whatever happens", () => {
	const keys = fc.constantFrom<BoardKey[]>(
		"up",
		"down",
		"page_up",
		"page_down",
		"home",
		"end",
		"confirm",
		"cancel",
		"scope",
		"rename",
		"sort",
		"named",
		"path",
		"keys",
		"search",
	);
	const row = fc.record({ id: fc.nat(40), age: fc.nat(9), here: fc.boolean(), job: fc.boolean() });
	const rows = fc.array(row, { maxLength: 12 }).map((facts) =>
		facts.map(({ id, age, here, job }) =>
			aRow(`r${id}`, {
				name: `Session ${id}`,
				modified: NOW - age,
				changed: age,
				here,
				kind: job ? "headless" : "session",
			}),
		),
	);
	const event: fc.Arbitrary<BoardEvent> = fc.oneof(
		keys.map((key) => ({ type: "key" as const, key })),
		fc.constantFrom("s", "session", "1", "").map((text) => ({ type: "typed" as const, text })),
		rows.map((some) => ({ type: "rows" as const, rows: some })),
		fc.integer({ min: 1, max: 12 }).map((page) => ({ type: "resized" as const, page })),
		fc.constant({ type: "live" as const, live: [liveState("r1"), liveState("r2", { state: "idle" })] }),
		fc.constant({ type: "live" as const, live: [] }),
	);

	test("the cursor is in the list and in the window, and a refresh never moves it off a session that stays", () => {
		fc.assert(
			fc.property(fc.array(event, { maxLength: 40 }), (events) => {
				const it = new TestBoard({ rows: someRows(5), page: 4 });
				for (const one of events) {
					const before = it.board.items[it.board.cursor];
					it.do(one);
					const { items, cursor, top, page } = it.board;
					expect(cursor).toBeLessThan(Math.max(1, items.length));
					expect(cursor).toBeGreaterThanOrEqual(top);
					expect(cursor).toBeLessThan(top + page);
					const isRefresh = one.type === "rows" || one.type === "live" || one.type === "resized";
					if (!isRefresh || !before) continue;
					const stays = before.type !== "search" && items.some((item) => keyOf(item) === keyOf(before));
					const at = items[cursor];
					if (stays) expect(at && keyOf(at)).toBe(keyOf(before));
				}
			}),
		);
	});
});
