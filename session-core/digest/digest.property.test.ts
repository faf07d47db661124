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
		"constructor test",
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
/** Values that no field expects; text conversion of the last one throws. */
const wrong = fc.oneof(
	fc.anything(),
	fc.constantFrom<unknown>(null, 7, true, [], [[[]]], [null], {}, { toString: 1, valueOf: 1 }),
);
const args = fc.dictionary(
	fc.constantFrom("command", "path", "input", "content", "oldText", "url", "background"),
	wrong,
);
const strange = fc.record(
	{
		role: fc.oneof(fc.constantFrom("user", "assistant", "toolResult", "bashExecution"), wrong),
		content: fc.oneof(
			wrong,
			fc.array(
				fc.oneof(
					wrong,
					fc.record(
						{
							type: fc.constantFrom("text", "toolCall", "image"),
							text: wrong,
							id: fc.oneof(fc.constant("1"), wrong),
							name: fc.oneof(fc.constantFrom("bash", "edit", "read"), wrong),
							arguments: fc.oneof(args, wrong),
						},
						{ requiredKeys: ["type"] },
					),
				),
				{ maxLength: 4 },
			),
		),
		stopReason: wrong,
		errorMessage: wrong,
		toolCallId: fc.oneof(fc.constant("1"), wrong),
		isError: wrong,
		details: fc.oneof(wrong, fc.record({ diff: wrong })),
		command: wrong,
		output: wrong,
		exitCode: wrong,
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
		message: fc.oneof(message, strange, wrong),
		summary: fc.oneof(text, wrong),
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
				const digest = digestBranch({ ...slice, entries }, { cwd: "/code" });
				expect(renderDigest(digest).length).toBeLessThanOrEqual(RENDER_BOUND);
				const recap = heuristicRecap(digest, { id: "1", subjectId: "2", createdAt: 3 });
				expect(displayWidth(recap.headline)).toBeLessThanOrEqual(80);
				for (const line of [...recap.bullets, ...recap.next_actions])
					expect(displayWidth(line)).toBeLessThanOrEqual(100);
				expect(recap.bullets.length).toBeLessThanOrEqual(5);
				expect(recap.next_actions.length).toBeLessThanOrEqual(3);
				expect(recapText(recap).length).toBeLessThanOrEqual(700);
				expect(recap.artifacts.length).toBeLessThanOrEqual(4);
				expect(recap.headline).not.toMatch(/[.,;:!?]$/);
				expect(recapLines(recap).length).toBeLessThanOrEqual(3);
				for (const line of recapLines(recap)) {
					expect(displayWidth(line)).toBeLessThanOrEqual(160);
					expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
				}
				expect(recapText(recap)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
			}),
			{ numRuns: 300 },
		);
	});
});

/** Ten megabytes of whatever makes a careless pattern slow. */
const HUGE: [string, string][] = [
	["brackets", "["],
	["open wrappers", "<skill>"],
	["open tags", "<a-b x "],
	["Korean words", "파서를 고쳐줘 "],
	["list items", "- a\n"],
	["addresses", "https://a.b/c/ "],
	["one word", "a"],
	["interjections", "hmm, "],
].map(([name = "", part = ""]) => [name, part.repeat(Math.ceil(10_000_000 / part.length))]);

describe("texts of ten megabytes", () => {
	it.each(HUGE)("%s, wherever they stand", (_, huge) => {
		const entries = [
			{ role: "user", content: huge },
			{
				role: "assistant",
				content: [
					{ type: "text", text: huge },
					{ type: "toolCall", id: "1", name: "bash", arguments: { command: huge } },
					{ type: "toolCall", id: "2", name: "edit", arguments: { path: huge, input: huge } },
				],
				stopReason: "toolUse",
			},
			{ role: "toolResult", toolCallId: "1", content: [{ type: "text", text: huge }], isError: true },
			{ role: "assistant", content: [], stopReason: "error", errorMessage: huge },
		].map((message, index): Entry => ({ type: "message", id: `e${index}`, parentId: null, message }));
		const start = performance.now();
		const digest = digestBranch({ entries, opening: [], truncated: false, brokenChain: false });
		const recap = heuristicRecap(digest, { id: "1", subjectId: "2", createdAt: 3 });
		expect(renderDigest(digest).length).toBeLessThanOrEqual(RENDER_BOUND);
		expect(recapText(recap).length).toBeLessThanOrEqual(700);
		// Generous: what it guards against takes minutes.
		expect(performance.now() - start).toBeLessThan(3_000);
	});

	it("thousands of tool calls in one turn", () => {
		const calls = Array.from({ length: 5_000 }, (_, index) => ({
			type: "toolCall",
			id: `c${index}`,
			name: index % 2 === 0 ? "bash" : "edit",
			arguments: { command: `npm test -- part-${index}`, path: `src/part-${index}.ts` },
		}));
		const messages = [
			{ role: "user", content: "port every part of the parser" },
			{ role: "assistant", content: calls, stopReason: "toolUse" },
			...calls.map(({ id: toolCallId, name }) => ({
				role: "toolResult",
				toolCallId,
				toolName: name,
				content: [{ type: "text", text: "1 passed" }],
				isError: false,
			})),
		];
		const entries = messages.map((message, index): Entry => ({ type: "message", id: `e${index}`, message }));
		const start = performance.now();
		const digest = digestBranch({ entries, opening: [], truncated: false, brokenChain: false });
		expect(digest).toMatchObject({ outcome: "running", checks: "not_run" });
		expect(digest.files.length).toBeLessThanOrEqual(40);
		expect(renderDigest(digest).length).toBeLessThanOrEqual(RENDER_BOUND);
		expect(performance.now() - start).toBeLessThan(3_000);
	});
});
