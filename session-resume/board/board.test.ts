import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { DeleteOutcome } from "../../session-core/log/delete-session.ts";
import { CODEX } from "../../session-core/log/format.ts";
import { until } from "../../test/host/until.ts";
import {
	aHit,
	aRow,
	factsAbout,
	liveState,
	MINUTE,
	NO_MARKS,
	NOW,
	someRows,
	TestBoard,
} from "./board.test-support.ts";
import type { BoardPorts } from "./board.ts";
import { ACTS, type BoardKey } from "./keys.ts";
import { itemKey } from "./list.ts";

describe("the cursor", () => {
	test("moves by one, by a page, to the ends, and never leaves the list", () => {
		const it = new TestBoard({ rows: someRows(25), page: 10 });
		expect(it.press("up").at).toBe("Session 0");
		expect(it.press("down", "page_down").at).toBe("Session 11");
		expect(it.press("end", "down").at).toBe("Session 24");
		expect(it.press("page_up").at).toBe("Session 14");
		expect(it.press("home").at).toBe("Session 0");
	});

	test("stays on its session when the list changes, and on its line if the list is scrolled", () => {
		const it = new TestBoard({ rows: someRows(30), page: 5 }).press("end", "up", "up", "up", "up");
		const line = it.board.list.cursor - it.board.list.top;
		it.rows(aRow("new", { name: "New", modified: NOW + 1 }));
		expect(it.at).toBe("Session 25");
		expect(it.board.list.cursor - it.board.list.top).toBe(line);
	});

	test("stays on its line when its session disappears", () => {
		const it = new TestBoard({ rows: someRows(3) }).press("down");
		it.scanned("project", ["/sessions/app/r0.jsonl", "/sessions/app/r2.jsonl"]);
		expect(it.list).toEqual(["Session 0", "Session 2"]);
		expect(it.at).toBe("Session 2");
	});
});

test("once everything is loaded, the selected session stays selected until text is typed", () => {
	const rows = [aRow("old", { name: "Old", modified: NOW - 9 * MINUTE })];
	const it = new TestBoard({ rows }).scanned("project", ["/sessions/app/old.jsonl"]);
	it.rows(aRow("new", { name: "New words", modified: NOW }));
	expect([it.at, it.list]).toEqual(["Old", ["New words", "Old"]]);
	expect(it.type("words").at).toBe("New words");
	expect(it.type("").at).toBe("New words");
	it.board.end();
});

describe("while sessions are loaded, the first row is selected", () => {
	const older = aRow("older", { name: "words in a title", modified: NOW - 9 * MINUTE });
	const newer = aRow("newer", { name: "Newer", firstPrompt: "words", modified: NOW - MINUTE });
	const open = "/sessions/app/open.jsonl";

	test.each<[string, TestBoard, (it: TestBoard) => TestBoard, string]>([
		["a newer session is found", new TestBoard({ rows: [older] }), (it) => it.rows(newer), "Newer"],
		[
			"another session needs the user",
			new TestBoard({ rows: [older, newer] }),
			(it) => it.live(liveState("older", { state: "waiting" })),
			"words in a title",
		],
		[
			"a better match is found",
			new TestBoard({ rows: [newer], query: "words" }),
			(it) => it.rows(older),
			"words in a title",
		],
		[
			"text was typed",
			new TestBoard({ rows: [newer] }).type("words"),
			(it) => it.rows(older),
			"words in a title",
		],
		[
			"the session that is open here matches what was typed",
			new TestBoard({ rows: [newer], current: open, query: "words" }),
			(it) => it.rows(aRow("open", { name: "words" })),
			"words",
		],
		[
			"the session that is open here is the newest",
			new TestBoard({ rows: [older], current: open }),
			(it) => it.rows(aRow("open", { modified: NOW })),
			"words in a title",
		],
		[
			"sessions of other projects are added",
			new TestBoard({ rows: [older, aRow("far", { name: "Far", modified: NOW, here: false })] }),
			(it) => it.press("scope"),
			"Far",
		],
	])("when %s", (_, it, change, expected) => {
		expect(change(it).at).toBe(expected);
		it.board.end();
	});

	test("until the user moves the cursor or acts on the row", () => {
		for (const keys of [["down", "up"], ["pin"], ["transcript", "cancel"], ["confirm"]] as const) {
			const it = new TestBoard({ rows: [older] }).press(...keys);
			expect(it.rows(newer).at).toBe("words in a title");
			it.board.end();
		}
	});
});

describe("folds", () => {
	const rows = [
		aRow("main", { name: "Main" }),
		aRow("job", { name: "Job", kind: "headless" }),
		aRow("child", { name: "Child", kind: "child" }),
		aRow("fork", { name: "Fork", kind: "fork" }),
	];

	test("hide headless and child sessions behind one line, which can be opened and closed, unless a person has them open", () => {
		const it = new TestBoard({ rows });
		expect(it.list).toEqual(["Fork", "Main", "fold"]);
		expect(it.press("end", "confirm").list).toEqual(["Fork", "Main", "fold", "Child", "Job"]);
		expect(it.at).toBe("fold");
		expect(it.press("confirm").list).toEqual(["Fork", "Main", "fold"]);
		expect(it.live(liveState("job", { state: "waiting" })).list).toContain("Job");
		expect(it.live(liveState("job", { isInteractive: false })).list).not.toContain("Job");
	});

	test("are filtered, too", () => {
		const it = new TestBoard({ rows }).type("child");
		expect(it.list).toEqual(["fold", "search"]);
		expect(it.press("confirm").list).toEqual(["fold", "Child", "search"]);
	});

	test("hide archived sessions unless they are live", () => {
		const some = someRows(4);
		const archived = new Set(some.slice(0, 2).map(({ mark }) => mark));
		const it = new TestBoard({ rows: some }).marks({ ...NO_MARKS, archived });
		expect(it.list).toEqual(["Session 2", "Session 3", "fold"]);
		expect(it.board.list.count).toBe(2);
		it.press("end", "confirm").live(liveState("r1", { state: "waiting" }));
		expect(it.list).toEqual(["Session 1", "Session 2", "Session 3", "fold", "Session 0"]);
	});
});

test("the sort key cycles through the orders, and the cursor stays on its session", () => {
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

	const it = new TestBoard({ rows }).live(liveState("a", { state: "waiting" })).press("home", "down");
	const seen = ["urgency", "newest", "threads", "name", "project", "urgency"].map((sort) => {
		expect(it.board.list.sort).toBe(sort);
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

describe("searching messages", () => {
	const [row = aRow("none")] = someRows(1);

	test.each([[["search"]], [["end", "confirm"]]] as const)(
		"starts with %j and lists hits as they are found",
		(keys) => {
			const it = new TestBoard({ rows: someRows(3) }).type("needle").press(...keys);
			expect(it.board.list.search).toEqual({ query: "needle", hits: [], searched: 0, running: true });
			it.hits([aHit(row)], { searched: 3 });
			expect(it.list).toEqual(["Session 0"]);
			expect(it.board.list.search).toMatchObject({ running: false, searched: 3 });
		},
	);

	test("covers only the sessions that meet the conditions of the filter", () => {
		const rows = [aRow("one"), aRow("two", { format: CODEX })];
		const it = new TestBoard({ rows }).type("agent:codex needle").press("search");
		expect(it.log).toContain("search needle in /sessions/app/two.jsonl");
	});

	test("asks for words if the filter has none, and a hit is forked like any other session", () => {
		const it = new TestBoard({ rows: someRows(3) }).press("search");
		expect(it.notice).toMatch(/Type words to search for/);
		it.type("needle")
			.press("search")
			.hits([aHit(row)]);
		expect(it.press("fork").acts).toEqual(["fork r0"]);
	});
});

test("a rename edits the name on the input line and restores the filter; an empty or the same name and Esc change nothing", async () => {
	const it = new TestBoard({ rows: someRows(2) }).type("session").press("rename");
	expect(it.board.input).toBe("Session 0");
	expect(it.type("  ").press("confirm").notice).toMatch(/cannot be empty/);
	it.press("cancel", "rename", "confirm");
	expect([it.board.mode.type, it.acts]).toEqual(["list", []]);
	it.press("rename").type(" Better ").press("confirm");
	expect([it.acts, it.board.input]).toEqual([["rename r0 Better"], "session"]);
	await until(() => it.list.includes("Better"), { what: "the new name" });
	expect(it.notice).toBe("Renamed.");
});

test("the session that is open here is neither opened nor deleted", () => {
	const it = new TestBoard({ rows: someRows(1), current: "/sessions/app/r0.jsonl" });
	expect(it.press("confirm").notice).toMatch(/already open here/);
	expect(it.press("delete").notice).toBe("Not deleted: this session is open here.");
	expect(it.acts).toEqual([]);
});

test("a session that is open in two tabs is marked", () => {
	const { board } = new TestBoard({ rows: someRows(2) }).live(
		liveState("r0"),
		liveState("r0", { pid: 7 }),
		liveState("r1"),
	);
	expect(board.list.rows.map(({ openIn }) => openIn)).toEqual([2, 1]);
});

test("the hint for Enter says whether it resumes or switches to a live session's terminal", () => {
	const label = (canGo: boolean) => {
		const { board } = new TestBoard({ rows: someRows(1) }).live(liveState("r0", { canGo }));
		const label = ACTS.find(({ key }) => key === "confirm")?.label;
		return typeof label === "function" ? label(board.list) : label;
	};
	expect([label(true), label(false)]).toEqual(["go there", "resume"]);
});

test("a transcript opens for the session under the cursor, Esc returns, Enter resumes that session", () => {
	const it = new TestBoard({ rows: someRows(2) }).press("down", "transcript", "up", "rename");
	expect(it.board.mode).toMatchObject({ type: "transcript", row: { id: "r1" } });
	expect(it.at).toBe("Session 1");
	expect(it.press("cancel").board.mode.type).toBe("list");
	expect(it.press("transcript", "confirm").acts).toEqual(["open r1"]);
});

test("any key closes the help and does nothing else", () => {
	const it = new TestBoard({ rows: someRows(1) }).press("help");
	expect(it.board.mode.type).toBe("help");
	expect(it.press("confirm").board.mode.type).toBe("list");
	expect(it.acts).toEqual([]);
});

describe("after any sequence of keys and changes", () => {
	const keys = fc.constantFrom<BoardKey[]>(
		...(["up", "down", "page_up", "page_down", "home", "end", "confirm", "cancel"] as const),
		...(["scope", "rename", "sort", "help", "search"] as const),
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
	type Change = { isRefresh: boolean; on(it: TestBoard): TestBoard };
	const refresh = (on: Change["on"]): Change => ({ isRefresh: true, on });
	const change: fc.Arbitrary<Change> = fc.oneof(
		keys.map((key) => ({ isRefresh: false, on: (it: TestBoard) => it.press(key) })),
		fc
			.constantFrom("s", "session", "1", "")
			.map((text) => ({ isRefresh: false, on: (it: TestBoard) => it.type(text) })),
		rows.map((some) => refresh((it) => it.rows(...some))),
		fc.integer({ min: 1, max: 12 }).map((page) => refresh((it) => it.resize(page))),
		fc
			.constantFrom([], [liveState("r1"), liveState("r2", { state: "idle" })])
			.map((live) => refresh((it) => it.live(...live))),
	);

	test("each session is listed once, and the cursor is in the list, on screen and, after a refresh, on the chosen session", () => {
		fc.assert(
			fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
				const it = new TestBoard({ rows: someRows(5), page: 4 });
				for (const { isRefresh, on } of changes) {
					const { chosen } = it.board.list;
					on(it);
					const { items, cursor, top, page } = it.board.list;
					expect(cursor).toBeLessThan(Math.max(1, items.length));
					expect(cursor).toBeGreaterThanOrEqual(top);
					expect(cursor).toBeLessThan(top + page);
					expect(new Set(items.map(itemKey)).size).toBe(items.length);
					if (!isRefresh || !items.some((item) => itemKey(item) === chosen)) continue;
					const at = items[cursor];
					expect(at && itemKey(at)).toBe(chosen);
				}
			}),
		);
	});
});

/** A board that is stopped at the end of the test. */
function running(rows: number, ports: Partial<BoardPorts> = {}): TestBoard {
	const it = new TestBoard({ rows: someRows(rows) }, ports);
	onTestFinished(() => it.board.end());
	return it;
}

async function questionOn({ board }: TestBoard): Promise<string> {
	await until(() => board.mode.type === "question", { what: "a question" });
	return board.mode.type === "question" ? board.mode.text : "";
}

function notice(it: TestBoard, text: string): Promise<unknown> {
	return until(() => it.notice.includes(text), { what: text });
}

describe("a running board", () => {
	test("scans each scope once, and closes with the chosen session", async () => {
		const it = running(2).press("scope", "scope", "scope", "down", "confirm");
		await until(() => it.log.includes("close /sessions/app/r1.jsonl"), { what: "the end" });
		expect(it.log.slice(0, 3)).toEqual(["scan project", "scan all", "stop"]);
	});

	test("reads a card when the cursor rests, once for each state of a file", async () => {
		const it = running(3).press("down", "down", "up");
		const cards = () => it.log.filter((line) => line.startsWith("card"));
		await until(() => it.log.includes("card r1"), { what: "the card under the cursor" });
		it.press("up");
		await until(() => it.log.includes("card r0"), { what: "the other card" });
		it.press("down").rows(aRow("r1", { name: "Session 1", changed: 7 }));
		await until(() => cards().length === 3, { what: "the card of the new state" });
		expect(cards()).toEqual(["card r1", "card r0", "card r1"]);
	});

	test("shows within a second that a session has been opened elsewhere", () => {
		vi.useFakeTimers();
		onTestFinished(() => void vi.useRealTimers());
		let live: ReturnType<BoardPorts["live"]> = [];
		const it = running(2, { live: () => live });
		live = [liveState("r1")];
		vi.advanceTimersByTime(1_000);
		expect(it.board.list.live).toHaveLength(1);
	});

	test("does nothing after it was closed, even if an action fails", async () => {
		let refuse: (error: Error) => void = () => undefined;
		const looked = new Promise<never>((_, reject) => {
			refuse = reject;
		});
		const unhandled = vi.fn();
		process.on("unhandledRejection", unhandled);
		onTestFinished(() => void process.off("unhandledRejection", unhandled));
		const it = running(2, { facts: () => looked }).press("confirm");
		it.board.end();
		refuse(new Error("This extension ctx is stale"));
		await new Promise((resolve) => setImmediate(resolve));
		it.rows(...someRows(5));
		expect(unhandled).not.toHaveBeenCalled();
		expect(it.notice).toBe("");
		expect(it.list).toHaveLength(2);
	});
});

describe("an action", () => {
	test("that fails shows why", async () => {
		const it = running(2, {
			facts: () => Promise.reject(new Error("the disk is gone")),
			rename: () => Promise.reject(new Error("the disk is full")),
			setMark: () => ({ ok: false, detail: "EROFS" }),
		});
		it.press("confirm");
		await notice(it, "the disk is gone");
		it.press("rename").type("Better").press("confirm");
		await notice(it, "Not renamed: the disk is full");
		it.press("pin");
		await notice(it, "Not saved: EROFS");
	});

	test("that a later action has superseded neither asks a question nor closes the board", async () => {
		const answers: (() => void)[] = [];
		const it = running(3, {
			facts: (_act, row) => new Promise((resolve) => answers.push(() => resolve(factsAbout(row)))),
		});
		it.press("confirm", "down", "confirm");
		for (const answer of answers) answer();
		await until(() => it.log.includes("close /sessions/app/r1.jsonl"), { what: "the end" });
		expect(it.log.filter((line) => line.startsWith("close"))).toHaveLength(1);
	});
});

describe("deleting", () => {
	const deleting = (...outcomes: DeleteOutcome[]) => {
		const removed: string[] = [];
		const remove: BoardPorts["remove"] = async (row, how) => {
			removed.push(`${row.id} ${how}`);
			return outcomes.shift() ?? { ok: true, how };
		};
		return { it: running(3, { remove }).press("delete"), removed };
	};

	test("permanently is offered if the trash refuses the session, and is not the first choice", async () => {
		const { it, removed } = deleting({ ok: false, reason: "no_trash", detail: "full" });
		await questionOn(it);
		it.press("confirm");
		await until(() => removed.length === 1, { what: "the trash" });
		expect(await questionOn(it)).toMatch(/^The trash refused it \(full\)\. Delete “Session 0” permanently\?/);
		it.press("confirm");
		expect(it.list).toHaveLength(3);
		it.press("delete");
		await questionOn(it);
		it.press("cancel");
		expect(removed).toEqual(["r0 trash"]);
	});

	test.each<[DeleteOutcome, string, number]>([
		[{ ok: true, how: "gone" }, "The session was already deleted.", 2],
		[
			{ ok: false, reason: "kept", detail: "it is open in another pi." },
			"Not deleted: it is open in another pi.",
			3,
		],
	])("answers %j", async (outcome, text, left) => {
		const { it } = deleting(outcome);
		await questionOn(it);
		it.press("confirm");
		await notice(it, text);
		expect(it.list).toHaveLength(left);
	});
});
