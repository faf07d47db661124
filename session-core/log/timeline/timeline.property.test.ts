import fc from "fast-check";
import { expect, it } from "vitest";
import { hostileText } from "../../../test/support/hostile-text.ts";
import { offlineRecap, recapLines } from "../../recap/heuristic.ts";
import { isRecap } from "../../recap/record.ts";
import { recapText } from "../../recap/text.ts";
import { displayWidth } from "../../text/clip.ts";
import { walkBranch } from "../branch.ts";
import type { Entry } from "../entry.ts";
import { sourceOf } from "../session.test-support.ts";
import { RENDER_BOUND, renderTimeline } from "./render.ts";
import { readTimeline } from "./timeline.ts";

const text = fc.oneof(
	fc.string({ unit: "binary", maxLength: 400 }),
	hostileText,
	fc.constantFrom(
		"fix the parser",
		"- [ ] a\n  - b\n| a | b |\n|---|---|\n| 1 | 2 |",
		"Should I?",
		"\u001b[31mred\u0007",
		"차트를 고쳐줘. 머지할까?",
		"npm test 2>&1 | tail -3",
		"constructor test",
		"x".repeat(20_000),
	),
);
/** Values that no field expects. Converting the last one to a string throws an error. */
const wrong = fc.oneof(
	fc.anything(),
	fc.constantFrom<unknown>(null, 7, true, [], [[[]]], [null], {}, { toString: 1, valueOf: 1 }),
);
const args = fc.dictionary(
	fc.constantFrom("command", "path", "input", "content", "oldText", "url", "background"),
	fc.oneof(text, wrong),
);
const block = fc.oneof(
	wrong,
	fc.record(
		{
			type: fc.constantFrom("text", "toolCall", "image"),
			text: fc.oneof(text, wrong),
			id: fc.oneof(fc.constantFrom("1", "2", ""), wrong),
			name: fc.oneof(fc.constantFrom("bash", "edit", "write", "read", "x"), wrong),
			arguments: fc.oneof(args, wrong),
		},
		{ requiredKeys: ["type"] },
	),
);
const message = fc.record(
	{
		role: fc.oneof(fc.constantFrom("user", "assistant", "toolResult", "bashExecution", "custom"), wrong),
		content: fc.oneof(text, fc.array(block, { maxLength: 4 }), wrong),
		stopReason: fc.oneof(fc.constantFrom("stop", "toolUse", "error", "aborted"), wrong),
		errorMessage: fc.oneof(text, wrong),
		toolCallId: fc.oneof(fc.constantFrom("1", "2"), wrong),
		toolName: fc.oneof(text, wrong),
		isError: fc.oneof(fc.boolean(), wrong),
		details: fc.oneof(wrong, fc.record({ diff: wrong })),
		command: fc.oneof(text, wrong),
		output: fc.oneof(text, wrong),
		exitCode: fc.oneof(fc.integer(), wrong),
		cancelled: wrong,
	},
	{ requiredKeys: ["role"] },
);
const id = fc.constantFrom("a", "b", "c", "d", "e");
const entry = fc.record(
	{
		type: fc.constantFrom("message", "compaction", "branch_summary", "custom", "session", "?"),
		id,
		parentId: fc.oneof(id, wrong),
		timestamp: fc.oneof(text, wrong, fc.constant("2025-01-01T00:00:00Z")),
		message: fc.oneof({ weight: 4, arbitrary: message }, wrong),
		summary: fc.oneof(text, wrong),
	},
	{ requiredKeys: ["type", "id"] },
);

/**
 * Matches every control character except the line feed, and the marks that change the direction of
 * text.
 */
const UNCLEAN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

it("any entries produce a timeline, a bounded input for a model and a valid record, all without control characters", () => {
	fc.assert(
		fc.property(fc.array(entry, { maxLength: 12 }), (raw) => {
			const entries = raw as Entry[];
			const slice = walkBranch(sourceOf(entries));
			const timeline = readTimeline({ ...slice, entries }, { cwd: "/code" });
			const rendered = renderTimeline(timeline);
			expect(rendered.length).toBeLessThanOrEqual(RENDER_BOUND);
			expect(rendered).not.toMatch(UNCLEAN);
			const recap = offlineRecap(timeline);
			expect(isRecap(recap)).toBe(true);
			expect(recap.bullet_kinds).toHaveLength(recap.bullets.length);
			expect(displayWidth(recap.headline)).toBeLessThanOrEqual(80);
			expect(recapText(recap).length).toBeLessThanOrEqual(700);
			expect(recapText(recap)).not.toMatch(UNCLEAN);
			expect(JSON.stringify(recap.evidence ?? [])).not.toMatch(UNCLEAN);
			if (recap.checks !== undefined) expect(recap.evidence).toHaveLength(1);
			const lines = recapLines(recap);
			expect(lines.length).toBeLessThanOrEqual(3);
			for (const line of lines) {
				expect(displayWidth(line)).toBeLessThanOrEqual(160);
				expect(line).not.toMatch(/\n/);
			}
		}),
		{ numRuns: 300 },
	);
});
