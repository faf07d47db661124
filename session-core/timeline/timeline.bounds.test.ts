import { describe, expect, it } from "vitest";
import { heuristicRecap } from "../recap/heuristic.ts";
import { recapText } from "../recap/text.ts";
import type { Entry } from "../session-file/entry.ts";
import { RENDER_BOUND, renderTimeline } from "./render.ts";
import { readTimeline } from "./timeline.ts";
import { stepsOf } from "./turn.ts";

/** Two megabytes of whatever makes a careless pattern slow. */
const HUGE: [string, string][] = [
	["brackets", "["],
	["open wrappers", "<skill>"],
	["open tags", "<a-b x "],
	["Korean words", "파서를 고쳐줘 "],
	["list items", "- a\n"],
	["addresses", "https://a.b/c/ "],
	["one word", "a"],
	["open quotations", 'a "b '],
	["table rows", "| a | b |\n"],
	["open fences", "```\na\n"],
	["here-documents", "<<A\n"],
	["channel blocks", "Sender (untrusted metadata):\n```json\n"],
	["front matter", "---\nname: a\n"],
	["places", "src/a.ts:1:2: "],
	["links", "[a](b "],
	["hashes", "commit 1a2b3c4 "],
	["headings", "## Goal\n"],
	["interjections", "hmm, "],
].map(([name = "", part = ""]) => [name, part.repeat(Math.ceil(2_000_000 / part.length))]);

describe("texts of two megabytes", () => {
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
			{
				role: "toolResult",
				toolCallId: "2",
				content: [{ type: "text", text: huge }],
				details: { diff: huge },
			},
			{ role: "bashExecution", command: huge, output: huge, exitCode: 0 },
			{ role: "assistant", content: [], stopReason: "error", errorMessage: huge },
		].map((message, index): Entry => ({ type: "message", id: `e${index}`, parentId: null, message }));
		entries.push({ type: "compaction", id: "goal", parentId: null, summary: huge });
		const timeline = readTimeline({ entries, opening: [], truncated: false, brokenChain: false });
		const recap = heuristicRecap(timeline, { id: "1", subjectId: "2", createdAt: 3 });
		expect(renderTimeline(timeline).length).toBeLessThanOrEqual(RENDER_BOUND);
		expect(recapText(recap).length).toBeLessThanOrEqual(700);
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
		const timeline = readTimeline({ entries, opening: [], truncated: false, brokenChain: false });
		expect(timeline.turns.map((turn) => stepsOf(turn).length)).toEqual([5_000]);
		expect(timeline.files.length).toBeLessThanOrEqual(60);
		expect(renderTimeline(timeline).length).toBeLessThanOrEqual(RENDER_BOUND);
	});
});
