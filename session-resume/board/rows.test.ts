import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aRow } from "./board.test-support.ts";
import { threaded } from "./rows.ts";

const pathOf = (id: string) => `/sessions/app/${id}.jsonl`;

/** Returns the threads of rows that are listed in this order. `b<a`: `b` is a fork of `a`. */
function tree(...facts: string[]): string[] {
	const rows = facts.map((fact) => {
		const [id = "", parent] = fact.split("<");
		return aRow(id, { parentSession: parent && pathOf(parent), kind: parent ? "fork" : "session" });
	});
	return threaded(rows).map(({ row, branch = "" }) => branch + row.id);
}

describe("threads", () => {
	test.each([
		[
			"forks are listed below their parents at any depth, in the order of the list",
			["a", "b", "c<a", "d<c", "e<a"],
			["a", "├─ c", "│  └─ d", "└─ e", "b"],
		],
		[
			"a thread takes the place of its first session",
			["new<old", "other", "old"],
			["old", "└─ new", "other"],
		],
		["a fork whose parent is not listed begins a thread of its own", ["a<gone", "b<a"], ["a", "└─ b"]],
	])("%s", (_, facts, listed) => expect(tree(...facts)).toEqual(listed));

	test("a parent is also found by its file name, because folders are moved", () => {
		const fork = aRow("b", { parentSession: "/elsewhere/app/a.jsonl", kind: "fork" });
		expect(threaded([aRow("a"), fork]).map(({ branch }) => branch)).toEqual([undefined, "└─ "]);
	});

	test("each session is listed once, whatever its parents are", () => {
		const facts = fc.array(fc.tuple(fc.nat(9), fc.option(fc.nat(12))), { maxLength: 12 });
		fc.assert(
			fc.property(facts, (some) => {
				const unique = new Map(
					some.map(([id, parent]) => [id, parent === null ? `${id}` : `${id}<${parent}`]),
				);
				const listed = tree(...unique.values()).map((line) => line.replace(/^[^\d]*/, ""));
				expect(listed.toSorted()).toEqual([...unique.keys()].map(String).toSorted());
			}),
		);
	});
});
