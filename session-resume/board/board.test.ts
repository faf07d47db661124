import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { DeleteOutcome } from "../../session-core/log/delete-session.ts";
import { CODEX } from "../../session-core/log/format.ts";
import { until } from "../../test/host/until.ts";
import { ownLeases } from "../live/leases.ts";
import { aHit, aRow, liveState, MINUTE, NOW, someRows, TestBoard } from "./board.test-support.ts";
import type { BoardPorts } from "./board.ts";
import type { BoardKey } from "./keys.ts";
import { itemKey, openIn } from "./list.ts";

/** The lease of this process. */
const OWN = "own lease";
ownLeases.add(OWN);

function running(
	start: ConstructorParameters<typeof TestBoard>[0],
	ports: Partial<BoardPorts> = {},
): TestBoard {
	const it = new TestBoard(start, ports);
	onTestFinished(() => it.board.end());
	return it;
}

const closed = (it: TestBoard, how: string) => until(() => it.log.includes(`close ${how}`), how);

async function questionOn({ board }: TestBoard): Promise<string> {
	await until(() => board.mode.type === "question", "a question");
	return board.mode.type === "question" ? board.mode.text : "";
}

const notice = (it: TestBoard, text: string) => until(() => it.notice.includes(text), text);

test("a bug during a scan is reported, and the list is no longer loading", () => {
	const it = running({ rows: [] });
	it.failed("sessions: an unexpected error occurred.", "project");
	expect(it.board.scan.project).toBe("done");
	expect(it.notice).toMatch(/unexpected error/);
});

describe("the cursor", () => {
	test("moves by one, by a page, to the ends, and never leaves the list", () => {
		const it = running({ rows: someRows(25), page: 10 });
		expect(it.press("up").at).toBe("Session 0");
		expect(it.press("down", "page_down").at).toBe("Session 11");
		expect(it.press("end", "down").at).toBe("Session 24");
		expect(it.press("page_up").at).toBe("Session 14");
		expect(it.press("home").at).toBe("Session 0");
	});

	test("stays on its session when the list changes, and on its line if the list is scrolled", () => {
		const it = running({ rows: someRows(30), page: 5 }).press("end", "up", "up", "up", "up");
		const line = it.board.list.cursor - it.board.list.top;
		it.rows(aRow("new", { name: "New", modified: NOW + 1 }));
		expect([it.at, it.board.list.cursor - it.board.list.top]).toEqual(["Session 25", line]);
	});

	test("stays on its line when its session disappears", () => {
		const it = running({ rows: someRows(3) }).press("down");
		it.scanned("project", ["r0", "r2"]);
		expect([it.list, it.at]).toEqual([["Session 0", "Session 2"], "Session 2"]);
	});

	test("stays on the selected session once everything is loaded, until text is typed", () => {
		const rows = [aRow("old", { name: "Old", modified: NOW - 9 * MINUTE })];
		const it = running({ rows }).scanned("project");
		it.rows(aRow("new", { name: "New words", modified: NOW }));
		expect([it.at, it.list]).toEqual(["Old", ["New words", "Old"]]);
		expect(it.type("words").at).toBe("New words");
		expect(it.type("").at).toBe("New words");
	});

	const older = aRow("older", { name: "words in a title", modified: NOW - 9 * MINUTE });
	const newer = aRow("newer", { name: "Newer", firstPrompt: "words", modified: NOW - MINUTE });
	const far = aRow("far", { name: "Far", modified: NOW, here: false });
	const current = "/sessions/app/open.jsonl";
	const both = { rows: [older, newer] };
	const title = "words in a title";

	test.each<[string, NonNullable<Parameters<typeof running>[0]>, (it: TestBoard) => TestBoard, string]>([
		["a newer session is found", { rows: [older] }, (it) => it.rows(newer), "Newer"],
		["another needs the user", both, (it) => it.live(liveState("older", { state: "waiting" })), title],
		["a better match is found", { rows: [newer], query: "words" }, (it) => it.rows(older), title],
		["text was typed", { rows: [newer] }, (it) => it.type("words").rows(older), title],
		[
			"the session that is open here matches what was typed",
			{ rows: [newer], current, query: "words" },
			(it) => it.rows(aRow("open", { name: "words" })),
			"words",
		],
		[
			"the session that is open here is the newest",
			{ rows: [older], current },
			(it) => it.rows(aRow("open", { modified: NOW })),
			title,
		],
		["other projects are added", { rows: [older, far] }, (it) => it.press("scope"), "Far"],
	])("is on the first row while sessions are loaded: %s", (_, start, change, expected) => {
		expect(change(running(start)).at).toBe(expected);
	});

	test.each<BoardKey[][]>([[["down", "up"]], [["pin"]], [["transcript", "cancel"]], [["confirm"]]])(
		"stays on a row after %j",
		(keys) => {
			expect(
				running({ rows: [older] })
					.press(...keys)
					.rows(newer).at,
			).toBe(title);
		},
	);
});

describe("folds", () => {
	const rows = [
		aRow("main", { name: "Main" }),
		aRow("job", { name: "Job", kind: "headless" }),
		aRow("child", { name: "Child", kind: "child" }),
		aRow("fork", { name: "Fork", kind: "fork" }),
	];

	test("hide headless and child sessions behind one line, which can be opened and closed, unless a person has them open", () => {
		const it = running({ rows });
		expect(it.list).toEqual(["Fork", "Main", "fold"]);
		expect(it.press("end", "confirm").list).toEqual(["Fork", "Main", "fold", "Child", "Job"]);
		expect(it.at).toBe("fold");
		expect(it.press("confirm").list).toEqual(["Fork", "Main", "fold"]);
		expect(it.live(liveState("job", { state: "waiting" })).list).toContain("Job");
		expect(it.live(liveState("job", { isInteractive: false })).list).not.toContain("Job");
	});
});

test("the sort key cycles through the orders, and the cursor stays on its session", () => {
	const parentSession = "/sessions/app/a.jsonl";
	const it = running({
		rows: [
			aRow("b", { name: "beta", modified: NOW - MINUTE }),
			aRow("a", { name: "Alpha", modified: NOW - 2 * MINUTE }),
			aRow("fork", { firstPrompt: "zeta", kind: "fork", parentSession, modified: NOW }),
		],
	});
	it.live(liveState("a", { state: "waiting" })).press("home", "down");
	for (const [sort, list] of [
		["urgency", "Alpha zeta beta"],
		["newest", "zeta beta Alpha"],
		["threads", "Alpha zeta beta"],
		["name", "Alpha beta zeta"],
		["project", "zeta beta Alpha"],
		["urgency", "Alpha zeta beta"],
	]) {
		expect([it.board.list.sort, it.list.join(" "), it.at]).toEqual([sort, list, "zeta"]);
		it.press("sort");
	}
});

describe("searching messages", () => {
	const rows = someRows(3);
	const [row = aRow("none")] = rows;

	test.each<BoardKey[][]>([[["search"]], [["end", "confirm"]]])(
		"starts with %j, lists hits, and can fork one",
		(keys) => {
			const it = running({ rows })
				.type("needle")
				.press(...keys);
			expect(it.board.list.search).toEqual({ query: "needle", hits: [], searched: 0, running: true });
			it.hits([aHit(row)], { searched: 3 });
			expect(it.list).toEqual(["Session 0"]);
			expect(it.board.list.search).toMatchObject({ running: false, searched: 3 });
			expect(it.press("fork").acts).toEqual(["fork r0"]);
		},
	);

	test("covers only the sessions that meet the conditions of the filter, and asks for words if there are none", () => {
		const it = running({ rows: [aRow("one"), aRow("two", { format: CODEX })] }).press("search");
		expect(it.notice).toMatch(/Type words to search for/);
		it.type("agent:codex needle").press("search");
		expect(it.log).toContain("search needle in /sessions/app/two.jsonl");
	});
});

test("a rename edits the name on the input line and restores the filter; an empty or the same name and Esc change nothing", async () => {
	const it = running({ rows: someRows(2) })
		.type("session")
		.press("rename");
	expect(it.board.input).toBe("Session 0");
	expect(it.type("  ").press("confirm").notice).toMatch(/cannot be empty/);
	it.press("cancel", "rename", "confirm");
	expect([it.board.mode.type, it.acts]).toEqual(["list", []]);
	it.press("rename").type(" Better ").press("confirm");
	expect([it.acts, it.board.input]).toEqual([["rename r0 Better"], "session"]);
	await until(() => it.list.includes("Better"), "the new name");
	expect(it.notice).toBe("Renamed.");
});

test("the session that is open here is neither opened nor deleted", () => {
	const it = running({ rows: someRows(1), current: "/sessions/app/r0.jsonl" });
	expect(it.press("confirm").notice).toMatch(/already open here/);
	expect(it.press("delete").notice).toBe("Not deleted: this session is open here.");
	expect(it.acts).toEqual([]);
});

test("a session that is open in two tabs is marked", () => {
	const it = running({ rows: someRows(2) });
	it.live(liveState("r0"), liveState("r0", { pid: 7 }), liveState("r1"));
	const { rows, live } = it.board.list;
	expect(rows.map((row) => openIn(row, live))).toEqual([2, 1]);
});

test("a transcript opens for the session under the cursor, Esc returns, Enter resumes that session; any key closes the help", () => {
	const it = running({ rows: someRows(2) }).press("down", "transcript", "up", "rename");
	expect([it.board.mode, it.at]).toMatchObject([{ type: "transcript", row: { id: "r1" } }, "Session 1"]);
	expect(it.press("cancel").board.mode.type).toBe("list");
	expect(it.press("help").board.mode.type).toBe("help");
	expect(it.press("confirm").board.mode.type).toBe("list");
	expect(it.acts).toEqual([]);
	expect(it.press("transcript", "confirm").acts).toEqual(["open r1"]);
});

describe("after any sequence of keys and changes", () => {
	const keys = fc.constantFrom<BoardKey[]>(
		...(["up", "down", "page_up", "page_down", "home", "end", "confirm", "cancel"] as const),
		...(["scope", "rename", "sort", "help", "search"] as const),
	);
	const row = fc.record({ id: fc.nat(40), age: fc.nat(9), here: fc.boolean(), job: fc.boolean() });
	const rows = fc.array(row, { maxLength: 12 }).map((facts) =>
		facts.map(({ id, age, here, job }) => {
			const kind = job ? "headless" : "session";
			return aRow(`r${id}`, { name: `Session ${id}`, modified: NOW - age, changed: age, here, kind });
		}),
	);
	type Change = { isRefresh: boolean; on(it: TestBoard): TestBoard };
	const refresh = (on: Change["on"]): Change => ({ isRefresh: true, on });
	const typed = (on: Change["on"]): Change => ({ isRefresh: false, on });
	const live = fc.constantFrom([], [liveState("r1"), liveState("r2", { state: "idle" })]);
	const change: fc.Arbitrary<Change> = fc.oneof(
		keys.map((key) => typed((it) => it.press(key))),
		fc.constantFrom("s", "session", "1", "").map((text) => typed((it) => it.type(text))),
		rows.map((some) => refresh((it) => it.rows(...some))),
		fc.integer({ min: 1, max: 12 }).map((page) => refresh((it) => it.resize(page))),
		live.map((states) => refresh((it) => it.live(...states))),
	);

	test("each session is listed once, and the cursor is in the list, on screen and, after a refresh, on the chosen session", () => {
		fc.assert(
			fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
				const it = new TestBoard({ rows: someRows(5), page: 4 });
				for (const { isRefresh, on } of changes) {
					const { chosen } = it.board.list;
					on(it);
					const { items, cursor, top, page, item } = it.board.list;
					expect(cursor).toBeLessThan(Math.max(1, items.length));
					expect(cursor).toBeGreaterThanOrEqual(top);
					expect(cursor).toBeLessThan(top + page);
					expect(new Set(items.map(itemKey)).size).toBe(items.length);
					const isKept = isRefresh && items.some((one) => itemKey(one) === chosen);
					if (isKept) expect(item && itemKey(item)).toBe(chosen);
				}
			}),
		);
	});
});

describe("a running board", () => {
	test("scans each scope once, and closes with the chosen session", async () => {
		const it = running({ rows: someRows(2) }).press("scope", "scope", "scope", "down", "confirm");
		await closed(it, "/sessions/app/r1.jsonl");
		expect(it.log.slice(0, 3)).toEqual(["scan project", "scan all", "stop"]);
	});

	test("reads a card when the cursor rests, once for each state of a file", async () => {
		const it = running({ rows: someRows(3) }).press("down", "down", "up");
		const cards = () => it.log.filter((line) => line.startsWith("card"));
		await until(() => it.log.includes("card r1"), "the card under the cursor");
		it.press("up");
		await until(() => it.log.includes("card r0"), "the other card");
		it.press("down").rows(aRow("r1", { name: "Session 1", changed: 7 }));
		await until(() => cards().length === 3, "the card of the new state");
		expect(cards()).toEqual(["card r1", "card r0", "card r1"]);
	});

	test("shows within a second that a session has been opened elsewhere", () => {
		vi.useFakeTimers();
		onTestFinished(() => void vi.useRealTimers());
		let live: ReturnType<BoardPorts["live"]> = [];
		const it = running({ rows: someRows(2) }, { live: () => live });
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
		const it = running({ rows: someRows(2) }, { decide: () => looked }).press("confirm");
		it.board.end();
		refuse(new Error("This extension ctx is stale"));
		await new Promise((resolve) => setImmediate(resolve));
		it.rows(...someRows(5));
		expect(unhandled).not.toHaveBeenCalled();
		expect([it.notice, it.list.length]).toEqual(["", 2]);
	});
});

const fileError = (message: string) => Object.assign(new Error(message), { code: message.split(":", 1)[0] });

test.each([
	["a bug", new TypeError("injected"), "an unexpected error occurred (TypeError in board.test.ts:"],
	["a full disk", fileError("ENOSPC: the disk is full"), "ENOSPC: the disk is full"],
])("an action that fails because of %s shows why", async (_, error, why) => {
	const fails = () => Promise.reject(error);
	const setMark = () => ({ ok: false as const, detail: "EROFS" });
	const it = running({ rows: someRows(2) }, { decide: fails, rename: fails, setMark }).press("confirm");
	await notice(it, why);
	it.press("rename").type("Better").press("confirm");
	await notice(it, `Not renamed: ${why}`);
	expect(it.press("pin").notice).toBe("Not saved: EROFS");
});

test("an action that a later action has superseded neither asks a question nor closes the board", async () => {
	const answers: (() => void)[] = [];
	const decide: BoardPorts["decide"] = (act = "open", { path, cwd }) =>
		new Promise((resolve) => answers.push(() => resolve({ act, path, cwd })));
	const it = running({ rows: someRows(3) }, { decide }).press("confirm", "down", "confirm");
	for (const answer of answers) answer();
	await closed(it, "/sessions/app/r1.jsonl");
	expect(it.log.filter((line) => line.startsWith("close"))).toHaveLength(1);
});

describe("deleting", () => {
	const deleting = async (...outcomes: DeleteOutcome[]) => {
		const removed: string[] = [];
		const remove: BoardPorts["remove"] = async (row, how) => {
			removed.push(`${row.id} ${how}`);
			return outcomes.shift() ?? { ok: true, how };
		};
		const it = running({ rows: someRows(3) }, { remove }).press("delete");
		await questionOn(it);
		return { it: it.press("confirm"), removed };
	};

	test("permanently is offered if the trash refuses the session, and is not the first choice", async () => {
		const { it, removed } = await deleting({ ok: false, reason: "no_trash", detail: "full" });
		await until(() => removed.length === 1, "the trash");
		expect(await questionOn(it)).toMatch(/^The trash refused it \(full\)\. Delete “Session 0” permanently\?/);
		expect(it.press("confirm").list).toHaveLength(3);
		it.press("delete");
		await questionOn(it);
		it.press("cancel");
		expect(removed).toEqual(["r0 trash"]);
	});

	test.each<[DeleteOutcome, string, number]>([
		[{ ok: true, how: "gone" }, "The session was already deleted.", 2],
		[{ ok: false, reason: "kept", detail: "it is open in a pi." }, "Not deleted: it is open in a pi.", 3],
	])("answers %j", async (outcome, text, left) => {
		const { it } = await deleting(outcome);
		await notice(it, text);
		expect(it.list).toHaveLength(left);
	});
});

describe("answering", () => {
	const boardWith = (
		fields: Parameters<typeof liveState>[1],
		waits = true,
		ports: Partial<BoardPorts> = {},
	) => {
		const next = { kind: "question" as const, text: "Shall I?" };
		const work = { title: "Rename the queue", source: "topic" as const, next, waits };
		const rows = [aRow("r0", { name: "Rename the queue", work })];
		return running({ rows }, ports).live(liveState("r0", fields)).press("answer");
	};

	test("an answer that meets an unexpected error stays on the input line", async () => {
		const answer = () => Promise.reject(new Error("injected"));
		const it = boardWith({ state: "waiting" }, true, { answer }).type("yes").press("confirm");
		await notice(it, "(Error in board.test.ts:");
		expect([it.notice.split(":", 1)[0], it.board.input]).toEqual(["Not sent", "yes"]);
		expect(it.press("cancel").board).toMatchObject({ mode: { type: "list" }, input: "" });
	});

	test.each([
		["is waiting", { state: "waiting" }, true, undefined],
		[
			"is idle and asks nothing",
			{ state: "idle" },
			false,
			/has not asked anything.* Press Enter to go there/,
		],
		["is open here", { state: "waiting", instance: OWN }, true, /^Only a session that is open in another pi/],
	] as const)("F2 on a session that %s", (_, state, waits, refused) => {
		const it = boardWith(state, waits);
		expect(it.board.mode.type).toBe(refused ? "list" : "answer");
		if (refused) expect(it.notice).toMatch(refused);
	});
});

describe("a request for a note", () => {
	const row = aRow("r0", { name: "Rename the queue" });

	test.each([
		["open here", { current: row.path }, "idle", /type \/recap-card --llm/],
		["working", {}, "working", /still working/],
	] as const)("is not sent for a session that is %s", (_, start, state, text) => {
		const it = running({ rows: [row], ...start }).live(liveState("r0", { state }));
		expect(it.press("note").notice).toMatch(text);
	});
});
