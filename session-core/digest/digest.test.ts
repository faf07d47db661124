import { describe, expect, it } from "vitest";
import { ASK, cwd, DONE, digestOf, EDIT, type Happening } from "./log.test-support.ts";
import type { Digest } from "./types.ts";

describe("how a session ended", () => {
	const cases: [string, Happening[], Digest["outcome"], string?][] = [
		["a reply", [ASK, EDIT, DONE], "done"],
		["a reply that the model's limit cut off", [ASK, { says: "First, the", stop: "length" }], "running"],
		["a question", [ASK, { says: "Two ways. Which one?" }], "waiting"],
		[
			"an offer behind an analysis",
			[ASK, { says: "It is the timer.\n\nIf you want, I can patch it." }],
			"waiting",
		],
		[
			"an offer behind finished work",
			[ASK, EDIT, { says: "Fixed.\n\nIf you want, I can add more tests." }],
			"done",
		],
		[
			"an offer behind an opened issue",
			[ASK, { bash: "gh issue create --title x" }, { says: "말씀해주면 진행함." }],
			"done",
		],
		[
			"an abort",
			[ASK, EDIT, { says: "", stop: "aborted", error: "Request was aborted." }],
			"aborted",
			"Request was aborted.",
		],
		[
			"a provider's error",
			[ASK, { says: "", stop: "error", error: '400 {"error":{"message":"tool_use \\"x\\" has no result"}}' }],
			"error",
			'400 tool_use "x" has no result',
		],
		["a call without a result", [ASK, { bash: "npm test", pending: true }], "running"],
		["a prompt without an answer", [ASK, DONE, { user: "and now the printer as well" }], "running"],
		["nothing at all", [], "done"],
	];
	it.each(cases)("%s", (_, happenings, outcome, reason) => {
		const digest = digestOf(happenings);
		expect(digest.outcome).toBe(outcome);
		expect(digest.endReason).toBe(reason);
	});
});

describe("files", () => {
	it("counts edits by the host's diff, in one name for all spellings", () => {
		const other = { tool: "edit", args: { path: "./src/parser.ts", oldText: "a", newText: "b\nc" } };
		expect(digestOf([ASK, EDIT, other, DONE], { cwd }).files).toEqual([
			{ path: "src/parser.ts", kind: "edited", added: 4, removed: 2, times: 2, inThread: true, age: 0 },
		]);
	});

	const cases: [string, Happening, string[]][] = [
		["a write", { tool: "write", args: { path: "a.ts", content: "x" } }, ["a.ts"]],
		[
			"a patch that names its files",
			{ tool: "apply_patch", args: { input: "*** Update File: src/b.ts\n@@" } },
			["src/b.ts"],
		],
		[
			"a result that names the resolved file",
			{ tool: "edit", args: { path: "b.ts" }, out: "app/b.ts:\n 1|x" },
			["app/b.ts"],
		],
		["a refused edit", { ...EDIT, fails: true }, []],
		[
			"an edit without a result",
			{
				entry: {
					message: {
						role: "assistant",
						stopReason: "aborted",
						content: [{ type: "toolCall", id: "1", name: "edit", arguments: { path: "a.ts" } }],
					},
				},
			},
			[],
		],
		["a shell redirection", { bash: "echo x > src/c.ts" }, ["src/c.ts"]],
		[
			"a result whose call stood in a line that is lost",
			{
				entry: {
					message: {
						role: "toolResult",
						toolCallId: "lost",
						toolName: "write",
						content: [{ type: "text", text: "Successfully wrote 1709 bytes to src/shell.py" }],
						isError: false,
					},
				},
			},
			["src/shell.py"],
		],
		["a read", { tool: "read", args: { path: "a.ts" } }, []],
	];
	it.each(cases)("%s", (_, happening, paths) => {
		expect(digestOf([ASK, happening]).files.map(({ path }) => path)).toEqual(paths);
	});

	it("forgets files that were removed, and follows those that were renamed", () => {
		const write = (path: string): Happening => ({ tool: "write", args: { path, content: "x" } });
		const digest = digestOf([
			ASK,
			write("smoke.html"),
			write("main-new.ts"),
			{ bash: "rm -f smoke.html" },
			{ bash: "git mv main-new.ts main.ts" },
		]);
		expect(digest.files.map(({ path }) => path)).toEqual(["main.ts"]);
	});
});

describe("what is the user's", () => {
	it("leaves out injected entries, wrappers and hidden reasoning", () => {
		const digest = digestOf([
			{ user: "<system-reminder>tree</system-reminder>" },
			{ user: "Make the parser accept commas" },
			{ entry: { type: "custom_message", customType: "x", content: "injected words", display: false } },
			{
				entry: {
					message: {
						role: "assistant",
						stopReason: "stop",
						content: [
							{ type: "thinking", thinking: "secret plan" },
							{ type: "text", text: "Done so." },
						],
					},
				},
			},
		]);
		expect(JSON.stringify(digest)).not.toMatch(/injected|secret plan|tree/);
		expect(digest.task).toBe("Make the parser accept commas");
		expect(digest.lastReply).toBe("Done so.");
	});

	it("knows evicted content for what it is: nothing", () => {
		const evicted = "[Compacted history content evicted to durable cold storage]";
		const digest = digestOf([ASK, { bash: "npm test", out: evicted }, { says: evicted }]);
		expect(digest.lastReply).toBeUndefined();
	});

	it("stamps the last message, not the metadata behind it", () => {
		const digest = digestOf([ASK, DONE, { entry: { type: "session_info", name: "x" } }]);
		expect(digest.stamp).toBe("e1");
		expect(digest.messages).toBe(2);
	});
});

describe("claims that the log does not show", () => {
	it("are not those that only an older push could show", () => {
		const push: Happening = { bash: "git push", out: "1a2b3c4..5d6e7f8  main -> main" };
		const says: Happening = { says: "I pushed the change to main." };
		expect(digestOf([ASK, EDIT, push, says]).unsupported).toEqual([]);
		expect(digestOf([ASK, push, EDIT, says]).unsupported).toHaveLength(1);
	});

	it("are listed, and those it shows are not", () => {
		const reply = { says: "All tests pass. I pushed the branch." };
		expect(digestOf([ASK, EDIT, reply]).unsupported).toEqual(["All tests pass.", "I pushed the branch."]);
		expect(digestOf([ASK, EDIT, { bash: "npm test && git push", out: "ok" }, reply]).unsupported).toEqual([]);
	});
});
