import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aRow, liveState, MINUTE, NO_MARKS, NOW } from "./board.test-support.ts";
import { type Ordering, sorted, withLive, withRows } from "./order.ts";
import type { LiveState, Row } from "./types.ts";

const needsYou = (live: LiveState[]): Ordering => ({ sort: "needs_you", live, marks: NO_MARKS });
const ids = (rows: readonly Row[]) => rows.map(({ id }) => id);

describe("the order of the list", () => {
	test("what needs a look first, then what is live, then what was last said something in", () => {
		const rows = ["old", "idle", "new", "working", "asks", "failed"].map((id, index) =>
			aRow(id, { modified: id === "new" ? NOW : NOW - index * MINUTE }),
		);
		const live: LiveState[] = [
			liveState("idle", { state: "idle" }),
			liveState("working"),
			liveState("asks", { state: "needs_you" }),
			liveState("failed", { state: "failed" }),
		];
		expect(ids(sorted(rows, needsYou(live)))).toEqual(["asks", "failed", "working", "idle", "new", "old"]);
	});

	const states = fc.constantFrom("working", "needs_you", "idle", "failed");
	const row = fc.record({ id: fc.nat(20), modified: fc.nat(5) });
	const lives = fc.uniqueArray(fc.record({ id: fc.nat(20), state: states }), {
		maxLength: 5,
		selector: ({ id }) => id,
	});
	const rowsOf = (facts: readonly { id: number; modified: number }[]) =>
		facts.map(({ id, modified }) => aRow(`s${id}`, { modified }));
	const liveOf = (facts: readonly { id: number; state: LiveState["state"] }[]) =>
		facts.map(({ id, state }) => liveState(`s${id}`, { state }));
	const unique = (rows: readonly Row[]) => [...new Map(rows.map((one) => [one.path, one])).values()];

	test("rows that come or change are put where sorting everything would put them", () => {
		fc.assert(
			fc.property(fc.array(row), fc.array(row), lives, (before, added, live) => {
				const ordering = needsYou(liveOf(live));
				const old = unique(rowsOf(before));
				const fresh = unique(rowsOf(added));
				const all = unique([...old, ...fresh]);
				expect(withRows(sorted(old, ordering), fresh, ordering)).toEqual(sorted(all, ordering));
			}),
		);
	});

	test("so are rows whose live state changes", () => {
		fc.assert(
			fc.property(fc.array(row), lives, lives, (facts, before, now) => {
				const rows = unique(rowsOf(facts));
				const order = sorted(rows, needsYou(liveOf(before)));
				expect(withLive(order, liveOf(before), needsYou(liveOf(now)))).toEqual(
					sorted(rows, needsYou(liveOf(now))),
				);
			}),
		);
	});

	const named = (id: string, name: string, fields: object = {}) => aRow(id, { name, ...fields });
	const some = [
		named("b", "beta", { modified: NOW - 2 * MINUTE, cwd: "/code/one" }),
		named("a", "Alpha", { modified: NOW - 3 * MINUTE, cwd: "/code/two" }),
		named("c", "gamma", { modified: NOW - MINUTE, cwd: "/code/one" }),
	];
	test.each([
		["needs_you", ["a", "c", "b"]],
		["newest", ["c", "b", "a"]],
		["threads", ["c", "b", "a"]],
		["name", ["a", "b", "c"]],
		["project", ["c", "b", "a"]],
	] as const)("by %s", (sort, expected) => {
		const live = [liveState("a", { state: "needs_you" })];
		expect(ids(sorted(some, { sort, live, marks: NO_MARKS }))).toEqual(expected);
	});

	test.each(["needs_you", "newest", "name", "project"] as const)(
		"what is pinned is above all, by %s",
		(sort) => {
			const [last] = ids(sorted(some, { sort, live: [], marks: NO_MARKS })).slice(-1);
			const pinned = new Set(some.filter(({ id }) => id === last).map(({ mark }) => mark));
			expect(ids(sorted(some, { sort, live: [], marks: { ...NO_MARKS, pinned } }))[0]).toBe(last);
		},
	);
});
