import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import { hostileText } from "../../test/support/hostile-text.ts";
import { fromText, toText } from "./edit.ts";

describe("editing a record", () => {
	test("without a change keeps words and artifacts", () => {
		const recap = recapOf();
		const { headline, bullets, next_actions, artifacts } = recap;
		const edited = fromText(toText(recap), recap);
		expect(edited).toMatchObject({
			headline,
			bullets,
			next_actions,
			artifacts,
			generator: { type: "user_edited" },
		});
	});

	test("keeps state, evidence and stamp, and resumes with the first step", () => {
		const edited = fromText("# Headline\nMy own words.\n# Next\n- Ship it.\n", recapOf());
		expect(edited).toMatchObject({
			headline: "My own words",
			bullets: [],
			next_actions: ["Ship it"],
			outcome: "waiting",
			evidence: recapOf().evidence,
			last_message_id: "m1",
			resume_hint: { seed_instruction: "Ship it" },
		});
	});

	test("drops a resume hint without steps", () => {
		const recap = recapOf({ resume_hint: { seed_instruction: "old" } });
		expect(fromText("Only a headline", recap)).not.toHaveProperty("resume_hint");
	});

	test("sets what resuming begins with, and whether in a fork", () => {
		const recap = recapOf({
			resume_hint: { seed_instruction: "Begin with the docs", model: "m", branch_on_resume: true },
		});
		expect(toText(recap)).toMatch(/# Resume with .*\nBegin with the docs\n\[x\] in a fork\n$/);
		expect(fromText(toText(recap), recap)?.resume_hint).toEqual(recap.resume_hint);
		const plain = recapOf({ resume_hint: { seed_instruction: recapOf().next_actions[0] ?? "" } });
		expect(toText(plain)).toMatch(/# Resume with [^\n]*\n\[ \] in a fork\n$/);
		const ticked = toText(plain).replace("[ ] in a fork", "Look at the tests first\n- [X] in a fork");
		expect(fromText(ticked, plain)?.resume_hint).toEqual({
			seed_instruction: "Look at the tests first",
			branch_on_resume: true,
		});
		expect(fromText(toText(recap).replace("[x]", "[ ]"), recap)?.resume_hint).toEqual({
			seed_instruction: "Begin with the docs",
			model: "m",
		});
	});

	test("a deleted section does not change how to resume", () => {
		const recap = recapOf({ resume_hint: { seed_instruction: "old", branch_on_resume: true } });
		expect(fromText("# Headline\nMine\n# Next\nShip it", recap)?.resume_hint).toEqual({
			seed_instruction: "Ship it",
			branch_on_resume: true,
		});
	});

	test("reads artifacts with or without their kind", () => {
		const text =
			"# Headline\nx\n# Artifacts\n- src/a.ts\n- https://example.com/x\n- commit abc1234\n* command npm test";
		expect(fromText(text, recapOf())?.artifacts).toEqual([
			{ kind: "file", label: "a.ts", locator: "src/a.ts" },
			{ kind: "url", label: "https://example.com/x", locator: "https://example.com/x" },
			{ kind: "commit", label: "abc1234", locator: "abc1234" },
			{ kind: "command", label: "npm test", locator: "npm test" },
		]);
	});

	test("hides secrets and bounds every list", () => {
		const bullets = Array.from({ length: 9 }, (_, index) => `- point ${index}`).join("\n");
		const text = `# Headline\ntoken ghp_0123456789abcdefghijABCDEFGHIJ012345\n# What happened\n${bullets}\n`;
		const many = `# Artifacts\n${bullets.replaceAll("point ", "src/a.ts")}\n`;
		const edited = fromText(`${text.replace("point 0", "x".repeat(400))}${many}`, recapOf());
		expect(edited?.bullets).toHaveLength(5);
		expect(edited?.bullets[0]).toHaveLength(120);
		expect(edited?.artifacts).toHaveLength(4);
		expect(edited?.headline).not.toContain("ghp_");
	});

	test("a text without a headline is no record", () => {
		expect(fromText("# Headline\n\n# Next\n- go", recapOf())).toBeUndefined();
		fc.assert(
			fc.property(hostileText, (text) => {
				const edited = fromText(text, recapOf());
				expect(edited?.headline).not.toBe("");
				expect(JSON.stringify(edited ?? "")).not.toMatch(/\\u001b|\\u202e/);
			}),
		);
	});
});
