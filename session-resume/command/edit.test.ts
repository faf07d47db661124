import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import type { SessionRecord } from "../../session-core/recap/record.ts";
import { nextOf, pointsOf } from "../../session-core/recap/text.ts";
import { hostileText } from "../../test/support/hostile-text.ts";
import * as edit from "./edit.ts";

const { toText } = edit;

function fromText(text: string, opened: SessionRecord, current?: SessionRecord): SessionRecord | undefined {
	const edited = edit.fromText(text, opened, current);
	return edited.ok ? edited.recap : undefined;
}

describe("editing a record", () => {
	test.each<[string, Partial<SessionRecord>]>([
		["a question without a question mark", { next_actions: ["Your call."], next_kinds: ["question"] }],
		[
			"an open item of each other kind",
			{
				next_actions: ["Set the key.", "I can add a test.", "Port it"],
				next_kinds: ["request", "offer", "cut_short"],
			},
		],
		[
			"a long headline and long points",
			{ headline: "Reject days ".repeat(16).trim(), bullets: ["x ".repeat(300).trim(), "* y"] },
		],
		["artifacts", { artifacts: [{ kind: "file", label: "A", locator: "my  notes/a.md" }] }],
	])("leaves %s as it is, whatever else is changed", (_, more) => {
		const [first = ""] = recapOf(more).next_actions;
		const recap = recapOf({ resume_hint: { seed_instruction: first }, ...more });
		const { headline: __, ...others } = recap;
		const kinds = nextOf(pointsOf(recap));
		const edited = fromText(toText(recap).replace(/(?<=^# Headline\n).*/, "Mine"), recap);
		expect(edited).toEqual({ ...others, ...kinds, headline: "Mine", generator: { type: "user_edited" } });
		const also = fromText(toText(recap).replace("# Next", "- Mine\n# Next"), recap);
		expect(also).toMatchObject({ headline: recap.headline, bullets: [...recap.bullets, "Mine"] });
	});

	test("a line that was cut for display still counts as the original line", () => {
		const question = "Should I move the parser, the printer and the linter to the new tree";
		const recap = recapOf({ next_actions: [question], next_kinds: ["question"] });
		const edited = fromText("# Headline\nMine\n# Next\n- Should I move the parser, the …\n- Ship it", recap);
		expect(edited).toMatchObject({ next_actions: [question, "Ship it"], next_kinds: ["question", "step"] });
	});

	test("keeps the kinds if the session has moved on meanwhile", () => {
		const recap = recapOf({ next_actions: ["Your call."], next_kinds: ["question"] });
		const later = recapOf({ last_message_id: "m2", next_actions: [], outcome: "done" });
		expect(fromText(toText(recap).replace("Reject", "Refuse"), recap, later)).toMatchObject({
			...{ last_message_id: "m2", outcome: "done" },
			...{ next_actions: ["Your call."], next_kinds: ["question"] },
		});
	});

	test.each([
		[
			"too many points",
			`# Headline\nx\n# What happened\n${"- y\n".repeat(6)}`,
			/"What happened" has 6 lines.* 5 /,
		],
		[
			"a line that is too long",
			`# Headline\nx\n# Next\n- ${"y".repeat(2_001)}`,
			/"Next" has more than 2000 characters/,
		],
		["no headline", "# Headline\n\n# Next\n- go", /no headline/],
	])("with %s is refused, and nothing is cut", (_, text, problem) => {
		expect(edit.fromText(text, recapOf())).toEqual({ ok: false, problem: expect.stringMatching(problem) });
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

	test("sets whether resuming makes a fork", () => {
		const plain = recapOf();
		expect(toText(plain)).toMatch(/\n\[ \] resume in a fork\n$/);
		const ticked = toText(plain).replace("[ ]", "- [X]");
		const forked = fromText(ticked, plain);
		expect(forked?.resume_hint).toEqual({ seed_instruction: plain.next_actions[0], branch_on_resume: true });
		expect(forked?.artifacts).toEqual(plain.artifacts);
		expect(fromText("# Headline\nMine\n# Next\nShip it", forked ?? plain)?.resume_hint).toEqual({
			seed_instruction: "Ship it",
			branch_on_resume: true,
		});
		const unticked = toText(forked ?? plain).replace("[x]", "[ ]");
		expect(fromText(unticked, forked ?? plain)?.resume_hint).not.toHaveProperty("branch_on_resume");
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

	test("hides secrets, and keeps the user's own words whole", () => {
		const text = `# Headline\ntoken ghp_0123456789abcdefghijABCDEFGHIJ012345\n# Next\n- ${"x ".repeat(400)}`;
		const edited = fromText(text, recapOf());
		expect(edited?.next_actions).toEqual(["x ".repeat(400).trim()]);
		expect(edited?.headline).not.toContain("ghp_");
	});

	test("gives a headline and no control characters, whatever the text is", () => {
		fc.assert(
			fc.property(hostileText, (text) => {
				const edited = fromText(text, recapOf());
				expect(edited?.headline).not.toBe("");
				expect(JSON.stringify(edited ?? "")).not.toMatch(/\\u001b|\\u202e/);
			}),
		);
	});
});
