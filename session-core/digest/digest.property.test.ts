import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heuristicRecap } from "../recap/heuristic.ts";
import { recapLines, recapText } from "../recap/text.ts";
import { walkBranch } from "../session/branch.ts";
import type { Entry } from "../session/entry.ts";
import { displayWidth } from "../text/clip.ts";
import { digestBranch } from "./digest.ts";
import { RENDER_BOUND, renderDigest } from "./render.ts";

const text = fc.oneof(
	fc.string({ unit: "binary", maxLength: 400 }),
	fc.constantFrom(
		"fix the parser",
		"- [ ] a\n  - b\n| a | b |\n|---|---|\n| 1 | 2 |",
		"Should I?",
		"**",
		"`",
		"(",
		"\u001b[31mred\u0007",
		"차트를 고쳐줘. 머지할까?",
		"npm test 2>&1 | tail -3",
		"x".repeat(20_000),
	),
);
const block = fc.oneof(
	fc.record({ type: fc.constant("text"), text }),
	fc.record({
		type: fc.constant("toolCall"),
		id: fc.constantFrom("1", "2", ""),
		name: fc.constantFrom("bash", "edit", "write", "read", "x"),
		arguments: fc.oneof(
			fc.record({ command: text, path: text, content: text }, { requiredKeys: [] }),
			fc.anything(),
		),
	}),
	fc.anything(),
);
const message = fc.record(
	{
		role: fc.constantFrom("user", "assistant", "toolResult", "bashExecution", "custom", "?"),
		content: fc.oneof(text, fc.array(block, { maxLength: 4 }), fc.anything()),
		stopReason: fc.constantFrom("stop", "toolUse", "error", "aborted", "?"),
		errorMessage: fc.oneof(text, fc.anything()),
		toolCallId: fc.constantFrom("1", "2"),
		toolName: text,
		isError: fc.boolean(),
		details: fc.anything(),
		command: text,
		output: text,
		exitCode: fc.integer(),
	},
	{ requiredKeys: ["role"] },
);
const id = fc.constantFrom("a", "b", "c", "d", "e");
const entry = fc.record(
	{
		type: fc.constantFrom("message", "compaction", "branch_summary", "custom", "session", "?"),
		id,
		parentId: fc.oneof(id, fc.constant(null)),
		timestamp: fc.oneof(text, fc.constant("2025-01-01T00:00:00Z")),
		message: fc.oneof(message, fc.anything()),
		summary: fc.oneof(text, fc.anything()),
	},
	{ requiredKeys: ["type", "id"] },
);

describe("any entries whatever", () => {
	it("make a digest, a bounded model input and a card of the promised shape", () => {
		fc.assert(
			fc.property(fc.array(entry, { maxLength: 12 }), (raw) => {
				const entries = raw as Entry[];
				const byId = new Map(entries.map((one) => [one.id, one]));
				const slice = walkBranch({
					getLeafEntry: () => entries.at(-1),
					getEntry: (wanted) => byId.get(wanted),
					getEntries: () => entries,
				});
				const digest = digestBranch({ ...slice, entries }, { cwd: "/work" });
				expect(renderDigest(digest).length).toBeLessThanOrEqual(RENDER_BOUND);
				const recap = heuristicRecap(digest, { id: "1", subjectId: "2", createdAt: 3 });
				expect(displayWidth(recap.headline)).toBeLessThanOrEqual(80);
				for (const line of [...recap.bullets, ...recap.next_actions])
					expect(displayWidth(line)).toBeLessThanOrEqual(100);
				expect(recap.bullets.length).toBeLessThanOrEqual(5);
				expect(recap.next_actions.length).toBeLessThanOrEqual(3);
				expect(recapText(recap).length).toBeLessThanOrEqual(700);
				expect(recap.artifacts.length).toBeLessThanOrEqual(4);
				for (const line of recapLines(recap)) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
				expect(recapText(recap)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
			}),
			{ numRuns: 300 },
		);
	});
});
