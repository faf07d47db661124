import { expect, test } from "vitest";
import { isRecap, type SessionRecord } from "./record.ts";

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

test("a whole record, and one with only what must be there", () => {
	expect(isRecap(FULL)).toBe(true);
	const { next_kinds, checks, evidence, resume_hint, workspace, ...least } = FULL;
	expect(isRecap({ ...least, generator: { type: "heuristic" } })).toBe(true);
});

test.each<[string, unknown]>([
	["no object", []],
	["no headline", { ...FULL, headline: undefined }],
	["an unknown kind", { ...FULL, kind: "url" }],
	["a model's record without its model", { ...FULL, generator: { type: "llm" } }],
	["too many bullets", { ...FULL, bullets: Array(6).fill("x") }],
	["an artifact of an unknown kind", { ...FULL, artifacts: [{ kind: "x", label: "a", locator: "b" }] }],
	["a folder that is no text", { ...FULL, workspace: { cwd: 1 } }],
	["a time that is no number", { ...FULL, created_at: Number.NaN }],
])("%s is no record", (_, value) => expect(isRecap(value)).toBe(false));
