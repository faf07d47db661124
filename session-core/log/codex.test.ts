import { join } from "node:path";
import { expect, it, test } from "vitest";
import { CODEX } from "./format.ts";
import { CODEX_ID, CodexLog, readLog, requestsIn, stepsIn } from "./logs.test-support.ts";
import { useTemporaryFolder } from "./session.test-support.ts";

const folder = useTemporaryFolder();
const read = (log: CodexLog | string) => readLog(join(folder(), "log.jsonl"), log);

const PATCH = [
	"*** Begin Patch",
	"*** Update File: src/login.ts",
	"@@",
	"-old",
	"+new",
	"+newer",
	"*** Add File: notes.md",
	"+one",
	"*** Delete File: junk.txt",
	"*** End Patch",
].join("\n");

const ran = (output: string, code = 0) =>
	`Chunk ID: b5a9ac\nWall time: 0.1 seconds\nProcess exited with code ${code}\nOriginal token count: 9\nOutput:\n${output}`;

it("reads requests, commands with their results, patches and replies", () => {
	const log = new CodexLog()
		.user("Fix the login redirect")
		.event("user_message", { message: "Fix the login redirect" })
		.says("I will run the tests.", "commentary")
		.event("agent_message", { message: "I will run the tests." })
		.calls("c1", "exec_command", { cmd: "npm test", workdir: "/code/app" })
		.result("c1", ran("1 failed, 4 passed", 1))
		.item("custom_tool_call", { call_id: "c2", name: "apply_patch", input: PATCH })
		.item("custom_tool_call_output", {
			call_id: "c2",
			output: "Success. Updated the following files:\nM src/login.ts",
		})
		.calls("c3", "shell", { command: ["bash", "-lc", "npm run check"] })
		.result("c3", '{"output":"5 passed","metadata":{"exit_code":0}}')
		.item("local_shell_call", { call_id: "c4", action: { type: "exec", command: ["git", "status", "a b"] } })
		.result("c4", "clean")
		.says("The redirect is fixed.")
		.event("task_complete");
	const { timeline, summary } = read(log);
	expect(requestsIn(timeline)).toEqual(["Fix the login redirect"]);
	expect(stepsIn(timeline)).toEqual([
		"bash npm test → failed",
		expect.stringMatching(/^apply_patch .* → ok$/),
		"bash npm run check → ok",
		"bash git status 'a b' → ok",
	]);
	expect(timeline.files).toMatchObject([
		{ path: "src/login.ts", kind: "edited", added: 2, removed: 1 },
		{ path: "notes.md", kind: "written", added: 1, removed: 0 },
		{ path: "junk.txt", kind: "removed" },
	]);
	expect(timeline.outcome).toBe("done");
	expect(timeline.turns.at(-1)?.reply).toBe("The redirect is fixed.");
	expect(summary).toMatchObject({
		id: CODEX_ID,
		format: CODEX,
		cwd: "/code/app",
		firstPrompt: "Fix the login redirect",
		kind: "session",
		hostReads: false,
		model: { provider: "openai", id: "gpt-x" },
		last: { role: "assistant", stopReason: "stop" },
	});
});

it("reads the oldest form, which has no envelope", () => {
	const message = (role: string, text: string) => ({
		type: "message",
		role,
		content: [{ type: "input_text", text }],
	});
	const lines = [
		{ id: CODEX_ID, timestamp: "2025-06-01T10:00:00Z", instructions: "Be brief", git: { branch: "main" } },
		{ record_type: "state" },
		message(
			"user",
			"<environment_context>\nCurrent working directory: /code/app\nApproval policy: never\n</environment_context>",
		),
		message("user", "Fix the login redirect"),
		{ type: "reasoning", summary: [{ type: "summary_text", text: "Look first" }] },
		{
			type: "function_call",
			name: "shell",
			call_id: "c1",
			arguments: '{"command":["bash","-lc","npm test"]}',
		},
		{
			type: "function_call_output",
			call_id: "c1",
			output: '{"output":"5 passed","metadata":{"exit_code":0}}',
		},
		message("assistant", "Fixed."),
	];
	const { timeline, summary } = read(`${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
	expect(requestsIn(timeline)).toEqual(["Fix the login redirect"]);
	expect(stepsIn(timeline)).toEqual(["bash npm test → ok"]);
	expect(timeline.turns.at(-1)?.reply).toBe("Fixed.");
	expect(summary).toMatchObject({
		id: CODEX_ID,
		cwd: "/code/app",
		created: Date.parse("2025-06-01T10:00:00Z"),
		firstPrompt: "Fix the login redirect",
	});
});

test.each([
	[
		"instructions of the project",
		"# AGENTS.md instructions for /code/app\n\n<INSTRUCTIONS>\nBe nice\n</INSTRUCTIONS>",
	],
	["instructions of the user", "<user_instructions>\nBe nice\n</user_instructions>"],
	["the environment", "<environment_context>\n<cwd>/code/app</cwd>\n</environment_context>"],
	[
		"a notice of an abort",
		"<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>",
	],
	["a skill", "<skill>\n<name>deploy</name>\nDo it like this\n</skill>"],
	["a subagent's report", '<subagent_notification>{"status":"done"}</subagent_notification>'],
])("does not show %s as the user's words", (_what, text) => {
	const { timeline, summary } = read(
		new CodexLog().user(text).user("Fix the login redirect").says("Done.").user(text),
	);
	expect(requestsIn(timeline)).toEqual(["Fix the login redirect"]);
	expect(timeline.turns).toHaveLength(1);
	expect(summary.firstPrompt).toBe("Fix the login redirect");
});

it("reads only the request from what an editor adds to it, and the user's own commands as such", () => {
	const log = new CodexLog()
		.user(
			"# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nRename the function",
		)
		.says("Renamed.")
		.user(
			"<user_shell_command>\n<command>\nls src\n</command>\n<result>\nExit code: 0\nDuration: 0.1 seconds\nOutput:\na.ts\n</result>\n</user_shell_command>",
		);
	const { timeline } = read(log);
	expect(requestsIn(timeline)).toEqual(["Rename the function"]);
	expect(stepsIn(timeline)).toEqual(["! ls src → ok"]);
});

test.each([
	["an interruption", (log: CodexLog) => log.event("turn_aborted", { reason: "interrupted" }), "aborted"],
	["a failure", (log: CodexLog) => log.event("error", { message: "stream disconnected" }), "error"],
	["a call without a result", (log: CodexLog) => log.calls("c", "exec_command", { cmd: "make" }), "running"],
	["no reply yet", (log: CodexLog) => log.says("Let me see.", "commentary"), "running"],
	["a question", (log: CodexLog) => log.says("Which file should I rename?"), "waiting"],
	[
		"a question with choices",
		(log: CodexLog) =>
			log.calls("c", "request_user_input", {
				questions: [{ id: "r", question: "Which region?", options: [{ label: "EU" }] }],
			}),
		"waiting",
	],
] as const)("tells how a session ended: %s", (_what, end, outcome) => {
	expect(read(end(new CodexLog().user("Build the release"))).timeline.outcome).toBe(outcome);
});

it("reads commands in scripts, commands that it waited for, and refused ones", () => {
	const log = new CodexLog()
		.user("Build the release")
		.item("custom_tool_call", {
			call_id: "c1",
			name: "exec",
			input:
				'const r = await tools.exec_command({cmd:"printf \\"hi\\" && ls",workdir:"/code"}); text(r.output)',
		})
		.item("custom_tool_call_output", {
			call_id: "c1",
			output: [
				{ type: "input_text", text: "Script failed\nWall time 0.2 seconds\nOutput:\n" },
				{ type: "input_text", text: "Script error: no" },
			],
		})
		.calls("c2", "write_stdin", { session_id: 7, chars: "" })
		.result("c2", `Command: /bin/zsh -lc 'npm test'\n${ran("7 passed")}`)
		.calls("c3", "exec_command", { cmd: "rm x" })
		.result("c3", "exec command rejected by user")
		.says("Done.");
	expect(stepsIn(read(log).timeline)).toEqual([
		'bash printf "hi" && ls → failed',
		"npm test  → ok",
		"bash rm x → cancelled",
	]);
});

it("leaves out the lines by which the desktop app learns what git did", () => {
	const log = new CodexLog().user("Push it").says('Pushed.\n\n::git-push{cwd="/code/app" branch="main"}');
	expect(read(log).timeline.turns.at(-1)?.reply).toBe("Pushed.");
});

it("leaves out the requests that the user took back", () => {
	const log = new CodexLog()
		.user("Write a parser")
		.says("Here it is.")
		.user("Now in Rust")
		.says("In Rust.")
		.user("And faster")
		.says("Faster.")
		.event("thread_rolled_back", { num_turns: 2 })
		.user("Now in Go")
		.says("In Go.");
	expect(requestsIn(read(log).timeline)).toEqual(["Write a parser", "Now in Go"]);
});

it("reads the name, the summary of a compaction, and where a session comes from", () => {
	const log = new CodexLog({ forked_from_id: "parent-1" })
		.line("session_meta", { id: "parent-1", cwd: "/code/other", timestamp: "2026-01-01T00:00:00Z" })
		.event("thread_name_updated", { thread_name: "Release 2.0" })
		.line("compacted", { message: "## Goal\nShip the release" })
		.user("Tag it now")
		.says("Tagged.");
	const { summary, timeline } = read(log);
	expect(summary).toMatchObject({
		id: CODEX_ID,
		cwd: "/code/app",
		name: "Release 2.0",
		nameSource: "manual",
		kind: "fork",
		parentSession: "parent-1",
	});
	expect(timeline.turns.at(-1)?.goal).toBe("Ship the release");
	const source = { subagent: { thread_spawn: { parent_thread_id: "parent-2", depth: 1 } } };
	const child = read(new CodexLog({ source }).user("Count the files").says("12"));
	expect(child.summary).toMatchObject({ kind: "child", parentSession: "parent-2" });
});

it("reads a session that states its facts again when it continues, and only the newest of two in one file", () => {
	const again = new CodexLog().user("Move the blog").says("Moved.");
	again.line("session_meta", { id: CODEX_ID, cwd: "/code/app" }).user("Open a pull request").says("Opened.");
	expect(requestsIn(read(again).timeline)).toEqual(["Move the blog", "Open a pull request"]);
	const fork = again.line("session_meta", { id: "fork-1", forked_from_id: CODEX_ID, cwd: "/code/app" });
	fork.line("session_meta", { id: CODEX_ID, cwd: "/code/app" }).user("Move the blog").says("Moved.");
	expect(requestsIn(read(fork).timeline)).toEqual(["Move the blog"]);
});

it("skips lines that are damaged or unknown", () => {
	const log = new CodexLog().user("Fix the login redirect");
	log.lines.push('{"timestamp":"2026', '{"type":"response_item","payload":null}', "[1]", "{}");
	log
		.item("message", { role: "user", content: 7 })
		.item("function_call", {})
		.item("new_item", {})
		.line("new", {});
	const { timeline } = read(log.says("Fixed."));
	expect(requestsIn(timeline)).toEqual(["Fix the login redirect"]);
	expect(timeline.turns.at(-1)?.reply).toBe("Fixed.");
});
