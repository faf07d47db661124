import { join } from "node:path";
import { expect, it } from "vitest";
import { CODEX_ID, CodexLog, readLog, requestsIn, stepsIn } from "./logs.test-support.ts";
import { useTemporaryFolder } from "./session.test-support.ts";

const folder = useTemporaryFolder();
const read = (log: CodexLog | string) => readLog(join(folder(), "log.jsonl"), log);

it("reads the oldest form, which has no envelope", async () => {
	const message = (role: string, text: string) => ({
		type: "message",
		role,
		content: [{ type: "input_text", text }],
	});
	const call = { name: "shell", call_id: "c1", arguments: '{"command":["bash","-lc","npm test"]}' };
	const output = '{"output":"5 passed","metadata":{"exit_code":0}}';
	const lines = [
		{ id: CODEX_ID, timestamp: "2025-06-01T10:00:00Z", instructions: "Be brief", git: { branch: "main" } },
		{ record_type: "state" },
		message("user", "<environment_context>\nCurrent working directory: /code/app\n</environment_context>"),
		message("user", "Fix the login redirect"),
		{ type: "reasoning", summary: [{ type: "summary_text", text: "Look first" }] },
		{ type: "function_call", ...call },
		{ type: "function_call_output", call_id: "c1", output },
		message("assistant", "Fixed."),
	];
	const { timeline, summary } = await read(`${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
	expect(stepsIn(timeline)).toEqual(["bash npm test → ok"]);
	expect(timeline).toMatchObject({ turns: [{ request: "Fix the login redirect", reply: "Fixed." }] });
	expect(summary).toMatchObject({
		id: CODEX_ID,
		cwd: "/code/app",
		created: Date.parse("2025-06-01T10:00:00Z"),
		firstPrompt: "Fix the login redirect",
	});
});

it("reads only the request from what an editor adds to it, and the user's own commands as such", async () => {
	const result = "Exit code: 0\nDuration: 0.1 seconds\nOutput:\na.ts";
	const log = new CodexLog()
		.user(
			"# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nRename the function",
		)
		.says("Renamed.")
		.user(
			`<user_shell_command>\n<command>\nls src\n</command>\n<result>\n${result}\n</result>\n</user_shell_command>`,
		);
	const { timeline } = await read(log);
	expect(requestsIn(timeline)).toEqual(["Rename the function"]);
	expect(stepsIn(timeline)).toEqual(["! ls src → ok"]);
});

it("reads commands in scripts, commands that it waited for, and refused ones", async () => {
	const input =
		'const r = await tools.exec_command({cmd:"printf \\"hi\\" && ls",workdir:"/code"}); text(r.output)';
	const output = ["Script failed\nWall time 0.2 seconds\nOutput:\n", "Script error: no"];
	const log = new CodexLog()
		.user("Build the release")
		.item("custom_tool_call", { call_id: "c1", name: "exec", input })
		.item("custom_tool_call_output", {
			call_id: "c1",
			output: output.map((text) => ({ type: "input_text", text })),
		})
		.ran(
			"write_stdin",
			{ session_id: 7, chars: "" },
			"Command: /bin/zsh -lc 'npm test'\nProcess exited with code 0\nOutput:\n7 passed",
		)
		.ran("exec_command", { cmd: "rm x" }, "exec command rejected by user")
		.says("Done.");
	expect(stepsIn((await read(log)).timeline)).toEqual([
		'bash printf "hi" && ls → failed',
		"npm test  → ok",
		"bash rm x → cancelled",
	]);
});

it.each([
	"A previous agent produced the plan below to accomplish the user's task. Implement the plan in a fresh context.\n",
	"PLEASE IMPLEMENT THIS PLAN:",
])("reads a plan without what Codex writes above it: %j", async (introduction) => {
	const log = new CodexLog().user(`${introduction}\n# Move the blog\n\nCopy the posts first.`).says("Moved.");
	expect(requestsIn((await read(log)).timeline)).toEqual(["# Move the blog\n\nCopy the posts first."]);
});

it("reads a goal as the user's request when the goal is set, not when Codex continues the work", async () => {
	const goal = (tag: string, text: string, tokens: number) =>
		`<${tag}>\nContinue.\n\n<objective>\n${text}\n</objective>\n\nBudget:\n- Tokens used: ${tokens}\n- Tokens remaining: unbounded`;
	const log = new CodexLog()
		.user("Start the server")
		.says("Started.")
		.user(goal("goal_context", "Load &lt;500 cases &amp; check them", 0))
		.says("Loaded.")
		.user(goal("goal_context", "Load &lt;500 cases &amp; check them", 120))
		.says("Checked.")
		.user(goal('codex_internal_context source="goal"', "Review the API", 0))
		.says("Reviewed.");
	expect(requestsIn((await read(log)).timeline)).toEqual([
		"Start the server",
		"Load <500 cases & check them",
		"Review the API",
	]);
});

it("reads the status of a command whose whole result a script prints, and no edit from what a program prints", async () => {
	const input = 'text(await tools.exec_command({cmd:"make"}))';
	const printed = (output: string) => JSON.stringify({ chunk_id: "a1", exit_code: 2, output });
	const waits = "text((await tools.write_stdin({session_id:7})).output)";
	const log = new CodexLog()
		.user("Build the release")
		.item("custom_tool_call", { call_id: "c1", name: "exec", input })
		.result("c1", `Script completed\nWall time 0.2 seconds\nOutput:\n${printed("no rule to make target")}`)
		.item("custom_tool_call", { call_id: "c2", name: "exec", input: waits })
		.result("c2", "EPERM, open 'logs/run.log'\nLogs were written to \"logs/run.log\"")
		.ran("write_stdin", { session_id: 7, chars: "q" }, "Saved to logs/run.log");
	const { timeline } = await read(log);
	expect(stepsIn(timeline)[0]).toBe("bash make → failed");
	expect(timeline.turns[0]?.steps[0]).toMatchObject({ output: "no rule to make target" });
	expect(timeline.files).toEqual([]);
});

it.each([
	'::git-push{cwd="/code/app" branch="main"}',
	"<oai-mem-citation>\n<citation_entries>\nMEMORY.md:5-6|note=[how to push]\n</citation_entries>\n</oai-mem-citation>",
])("leaves out what the agent tells the program at the end of a reply: %j", async (end) => {
	const log = new CodexLog().user("Push it").says(`Pushed.\n\n${end}`);
	expect((await read(log)).timeline.turns.at(-1)?.reply).toBe("Pushed.");
});

it("reads the name, the summary of a compaction, and where a session comes from", async () => {
	const log = new CodexLog({ forked_from_id: "parent-1" })
		.line("session_meta", { id: "parent-1", cwd: "/code/other", timestamp: "2026-01-01T00:00:00Z" })
		.event("thread_name_updated", { thread_name: "Release 2.0" })
		.line("compacted", { message: "## Goal\nShip the release" })
		.user("Tag it now")
		.says("Tagged.");
	const { summary, timeline } = await read(log);
	expect(summary).toMatchObject({
		id: CODEX_ID,
		cwd: "/code/app",
		name: "Release 2.0",
		nameSource: "manual",
		kind: "fork",
		parentSession: "parent-1",
	});
	expect(timeline.turns.at(-1)?.goal).toBe("Ship the release");
});

it("reads a session that states its facts again when it continues, and only the newest of two in one file", async () => {
	const log = new CodexLog().user("Move the blog").says("Moved.");
	log.line("session_meta", { id: CODEX_ID, cwd: "/code/app" }).user("Open a pull request").says("Opened.");
	expect(requestsIn((await read(log)).timeline)).toEqual(["Move the blog", "Open a pull request"]);
	log.line("session_meta", { id: "fork-1", forked_from_id: CODEX_ID, cwd: "/code/app" });
	log.line("session_meta", { id: CODEX_ID, cwd: "/code/app" }).user("Move the blog").says("Moved.");
	expect(requestsIn((await read(log)).timeline)).toEqual(["Move the blog"]);
});
