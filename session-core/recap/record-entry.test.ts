import { describe, expect, it } from "vitest";
import { redact } from "../text/redact.ts";
import { readRecap, type SessionRecord } from "./record.ts";

const PLAIN: Required<SessionRecord> = {
	id: "r-1",
	kind: "session",
	subject_id: "s-1",
	generator: { type: "llm", provider: "acme", model: "m-1" },
	headline: "Fixed the parser",
	text: "The parser is fixed.",
	bullets: ["did it", "ran it"],
	bullet_kinds: ["did", "step"],
	next_actions: ["ship it"],
	next_kinds: ["suggestion"],
	artifacts: [{ kind: "file", label: "a.ts", locator: "src/a.ts" }],
	outcome: "done",
	checks: "passed",
	evidence: [{ command: "npm test", line: "5 passed", edits_after: 0 }],
	resume_hint: {
		seed_instruction: "Go on:\nrun the tests",
		provider: "acme",
		model: "m-1",
		branch_on_resume: true,
		tools: ["read"],
	},
	parent_job_id: "s-0",
	handed_over_from: "codex/019d6f34",
	resumed_from_recap_id: "r-0",
	workspace: { cwd: "/code/my  app", git_branch: "main", git_head: "1a2b3c4" },
	last_message_id: "e0000001",
	created_at: 1_768_000_000,
	requested: true,
};

const read = (fields: object = {}) =>
	readRecap({ type: "custom", customType: "session-suite:recap", data: { ...PLAIN, ...fields } });

describe("a stored recap record", () => {
	it("is read as it was written", () => expect(read()).toEqual(PLAIN));

	it.each([
		["another type of entry", { type: "message" }],
		["another extension's", { customType: "other" }],
		["one without data", { data: undefined }],
		["one with an unknown outcome", { data: { ...PLAIN, outcome: "great" } }],
		["a model's without its model", { data: { ...PLAIN, generator: { type: "llm" } } }],
		["an unknown artifact's", { data: { ...PLAIN, artifacts: [{ kind: "x", label: "a", locator: "b" }] } }],
		["one with a folder that is no text", { data: { ...PLAIN, workspace: { cwd: 1 } } }],
		["one with too many bullets", { data: { ...PLAIN, bullets: ["1", "2", "3", "4", "5", "6"] } }],
	])("is not %s", (_, fields) => {
		expect(
			readRecap({ type: "custom", customType: "session-suite:recap", data: PLAIN, ...fields }),
		).toBeUndefined();
	});

	it("loses fields that the schema does not know", () =>
		expect(read({ extra: "x".repeat(10_000) })).toEqual(PLAIN));

	it("contains no control characters, and no line breaks in its lines", () => {
		const hostile = "a\u001b[31m\nb\u202e";
		expect(
			read({
				id: hostile,
				headline: hostile,
				workspace: { cwd: hostile },
				resume_hint: { seed_instruction: hostile },
			}),
		).toMatchObject({
			id: "a b",
			headline: "a b",
			workspace: { cwd: "ab" },
			resume_hint: { seed_instruction: "a\nb" },
		});
	});

	// All texts are first searched together. The redaction of one text must not depend on the other texts.
	it.each([
		`key sk-ant-api03-${"a1B2".repeat(12)}`,
		"password = hunter2-Xy91",
		"PASSWORD: hunter2Xy91",
		"token=abcdef0123456789abcdef",
		"clone https://user:s3cretPass@example.com/x.git",
		"Authorization: Bearer abcDEF123456789",
		"login me password s3cret99",
		"curl -u me:s3cretPass1 https://example.com",
		`-----BEGIN PRIVATE KEY-----\n${"QUJD".repeat(20)}\n-----END PRIVATE KEY-----`,
		"the password is hunter2Xy91",
	])("is redacted as if each text were alone: %s", (secret) => {
		const alone = redact(secret.replaceAll("\n", " "));
		for (const neighbour of ["(see notes)", "of the day", "= x", '"', ": y"]) {
			expect(read({ headline: secret, bullets: [neighbour] })?.headline).toBe(alone);
			expect(read({ bullets: [neighbour, secret, neighbour] })?.bullets[1]).toBe(alone);
		}
	});
});
