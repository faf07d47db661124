import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aRow, liveState, MINUTE, NOW } from "./board.test-support.ts";
import { sorted, withLive, withRows } from "./order.ts";
import type { LiveState, Row } from "./types.ts";

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
		expect(ids(sorted(rows, live))).toEqual(["asks", "failed", "working", "idle", "new", "old"]);
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
				const states = liveOf(live);
				const old = unique(rowsOf(before));
				const fresh = unique(rowsOf(added));
				const all = unique([...old, ...fresh]);
				expect(withRows(sorted(old, states), fresh, states)).toEqual(sorted(all, states));
			}),
		);
	});

	test("so are rows whose live state changes", () => {
		fc.assert(
			fc.property(fc.array(row), lives, lives, (facts, before, now) => {
				const rows = unique(rowsOf(facts));
				const order = sorted(rows, liveOf(before));
				expect(withLive(order, liveOf(before), liveOf(now))).toEqual(sorted(rows, liveOf(now)));
			}),
		);
	});
});
