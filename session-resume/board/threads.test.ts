import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aRow } from "./board.test-support.ts";
import { threaded } from "./threads.ts";

const pathOf = (id: string) => `/sessions/app/${id}.jsonl`;

/** Rows in this order; `b<a` is a fork of a. */
function tree(...facts: string[]): string[] {
	const rows = facts.map((fact) => {
		const [id = "", parent] = fact.split("<");
		return aRow(id, { parentSession: parent && pathOf(parent), kind: parent ? "fork" : "session" });
	});
	return threaded(rows).map(({ row, branch = "" }) => branch + row.id);
}

describe("threads", () => {
	test("forks stand below what they were forked from, as deep as they go, in the order of the list", () => {
		expect(tree("a", "b", "c<a", "d<c", "e<a")).toEqual(["a", "├─ c", "│  └─ d", "└─ e", "b"]);
	});

	test("a thread stands where the first of its sessions does", () => {
		expect(tree("new<old", "other", "old")).toEqual(["old", "└─ new", "other"]);
	});

	test("a fork of what is not listed begins a thread of its own", () => {
		expect(tree("a<gone", "b<a")).toEqual(["a", "└─ b"]);
	});

	test("a parent is found by its file's name, too: folders are moved", () => {
		const fork = aRow("b", { parentSession: "/elsewhere/app/a.jsonl", kind: "fork" });
		expect(threaded([aRow("a"), fork]).map(({ branch }) => branch)).toEqual([undefined, "└─ "]);
	});

	test.each([["a<a"], ["a<b", "b<a"], ["c<a", "a<b", "b<c", "d<b"]])(
		"a circle of parents loses nobody: %s %s",
		(...facts) => {
			expect(
				tree(...facts)
					.map((line) => line.slice(-1))
					.toSorted(),
			).toEqual(facts.map(([id]) => id).toSorted());
		},
	);

	test("whatever the parents, each session is listed once", () => {
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

	test("a chain of thousands of forks is laid in a moment", () => {
		const rows = Array.from({ length: 5_000 }, (_, index) =>
			aRow(`s${index}`, index === 0 ? {} : { parentSession: pathOf(`s${index - 1}`) }),
		);
		const started = performance.now();
		expect(threaded(rows.toReversed())).toHaveLength(5_000);
		expect(performance.now() - started).toBeLessThan(500);
	});
});
