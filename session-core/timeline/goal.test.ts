import { describe, expect, it } from "vitest";
import { goalOf } from "./goal.ts";

describe("the goal of a summary", () => {
	it.each([
		[
			"the section of that name",
			"## Goal\nMove the queue to SQLite\n\n## Progress\n- [x] schema",
			"Move the queue to SQLite",
		],
		[
			"a kin of the word",
			"# Notes\n## Primary Request and Intent\n1. **Port** the `clock`",
			"Port the clock",
		],
		["several aims", "## Goal\n- Port the clock\n- Drop the shim\n## Next", "Port the clock. Drop the shim"],
		["no heading", "The user wants a dark theme.\n- x", "The user wants a dark theme"],
		[
			"the document's name",
			"# Summary: Port the clock\n\nAll parts use it.\n",
			"Port the clock. All parts use it",
		],
	])("is taken from %s", (_, summary, goal) => {
		expect(goalOf(summary)).toBe(goal);
	});

	it.each([
		"✅ Schema is finished",
		"- [x] Schema",
		"- [ ] Tests",
		"(DONE) the schema",
		"Status: in progress",
		"Completed: the schema",
		"(none)",
	])("is without its status clauses: %s", (line) => {
		expect(goalOf(`## Goal\nMove the queue to SQLite\n${line}\n## Next`)).toBe("Move the queue to SQLite");
	});

	it.each([
		["no text", undefined],
		["nothing", ""],
		["no goal", "## Goal\n(No specific goal)"],
		["only a state", "## Goal\n✅ Done"],
	])("is absent where the summary has %s", (_, summary) => {
		expect(goalOf(summary)).toBeUndefined();
	});

	it("is bounded", () => {
		expect(goalOf(`## Goal\n${"Port the clock. ".repeat(2_000)}`)?.length).toBeLessThanOrEqual(420);
	});
});
