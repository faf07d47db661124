import fc from "fast-check";
import { Value } from "typebox/value";
import { expect, test } from "vitest";
import { isRecap } from "./is-recap.ts";
import { RecapSchema, type SessionRecord } from "./record.ts";

const FULL: Required<SessionRecord> = {
	id: "r-1",
	kind: "session",
	subject_id: "s-1",
	generator: { type: "llm", provider: "acme", model: "m-1" },
	headline: "Move the queue",
	bullets: ["did it", "ran it"],
	next_actions: ["ship it"],
	next_kinds: ["before"],
	artifacts: [{ kind: "file", label: "a.ts", locator: "src/a.ts" }],
	outcome: "done",
	checks: "passed",
	evidence: [{ command: "npm test", line: "5 passed", edits_after: 0 }],
	resume_hint: {
		seed_instruction: "Go on",
		provider: "acme",
		model: "m-1",
		branch_on_resume: true,
		tools: ["read"],
	},
	parent_job_id: "s-0",
	handed_over_from: "codex/019d6f34",
	resumed_from_recap_id: "r-0",
	workspace: { cwd: "/code", git_branch: "main", git_head: "1a2b3c4" },
	last_message_id: "e0000001",
	created_at: 1_768_000_000,
};

/** Every place of a value: the keys that lead to it. */
function places(value: unknown, path: string[] = []): string[][] {
	if (typeof value !== "object" || value === null) return [path];
	return [path, ...Object.entries(value).flatMap(([key, inner]) => places(inner, [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
	if (key === undefined) return by;
	if (Array.isArray(value))
		return value.map((inner, index) => (`${index}` === key ? replaced(inner, rest, by) : inner));
	const inner = Object.entries(value ?? {}).map(([name, old]) => [
		name,
		name === key ? replaced(old, rest, by) : old,
	]);
	return Object.fromEntries(inner.filter(([, now]) => now !== undefined));
}

test("a whole record, and one with only what must be there", () => {
	expect(isRecap(FULL)).toBe(true);
	const { next_kinds, checks, evidence, resume_hint, workspace, ...least } = FULL;
	expect(isRecap({ ...least, generator: { type: "heuristic" } })).toBe(true);
});

test("agrees with the schema for any value in any place", () => {
	const strange = fc.oneof(
		fc.constantFrom(
			undefined,
			null,
			"",
			"done",
			"job",
			"llm",
			"user_edited",
			"url",
			"open",
			0,
			-1.5,
			true,
			[],
			{},
		),
		fc.array(fc.constantFrom("x", { kind: "file", label: "a", locator: "b" }), { maxLength: 7 }),
		fc.constantFrom({ type: "heuristic" }, { type: "llm" }, { seed_instruction: "x" }, { cwd: 1 }),
	);
	fc.assert(
		fc.property(
			fc.array(fc.tuple(fc.constantFrom(...places(FULL)), strange), { maxLength: 2 }),
			(changes) => {
				const value = changes.reduce<unknown>((at, [path, by]) => replaced(at, path, by), FULL);
				expect(isRecap(value)).toBe(Value.Check(RecapSchema, value));
			},
		),
		{ numRuns: 5_000 },
	);
});
