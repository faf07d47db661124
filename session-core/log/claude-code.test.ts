import { join } from "node:path";
import { expect, it, test } from "vitest";
import { offlineRecap, openActions, wholeRequest } from "../recap/heuristic.ts";
import { quoteRequests } from "../recap/requests.ts";
import { ClaudeLog, readLog, requestsIn, stepsIn } from "./logs.test-support.ts";
import { useTemporaryFolder } from "./session.test-support.ts";

const folder = useTemporaryFolder();
const read = (log: ClaudeLog | string) => readLog(join(folder(), "log.jsonl"), log);
const requests = async (log: ClaudeLog) => requestsIn((await read(log)).timeline);
const asked = (text: string, fields = {}) => new ClaudeLog().user(text, fields);
const made = (log: ClaudeLog) =>
	["a", "b", "c"].reduce((all, id) => all.ran("Bash", { command: `make ${id}` }, "ok"), log);
const queued = (prompt: string, fields = {}) => ({
	attachment: { type: "queued_command", commandMode: "prompt", prompt, ...fields },
});

it("names a log whose beginning is missing by its last step", async () => {
	const log = new ClaudeLog().result("t0", "done sleeping").ran("Bash", { command: "make status" }, "empty");
	expect((await read(log)).summary.work?.title).toBe("make status → empty");
});

const before = (text: string) => asked(`${text}Fix the login redirect`);
const image = { type: "image", source: { type: "base64", data: "" } };
test.each<[string, ClaudeLog, string[]]>([
	[
		"after an element",
		before("<system_instruction>\nWork in /w.\n</system_instruction>\n\n"),
		["Fix the login redirect"],
	],
	["after 50,000 elements", before("<ide_x></ide_x>".repeat(50_000)), ["Fix the login redirect"]],
	[
		"as arguments of a command, and while the agent was working",
		asked("<command-name>/deploy</command-name>\n<command-args>the docs site</command-args>")
			.user("# Deploy skill\n…", { isMeta: true })
			.calls("t1", "Bash", { command: "make deploy" })
			.line("attachment", queued("use staging"))
			.result("t1", "ok"),
		["/deploy the docs site", "use staging"],
	],
	[
		"behind the placeholder of a pasted image",
		asked("").user([{ type: "text", text: "[Image #1] Why is this empty?" }, image]),
		["Why is this empty?"],
	],
])("shows what the user wrote %s", async (_, log, words) => {
	expect(await requests(log.says("Done."))).toEqual(words);
});

it("does not show the program's texts, marked or not, as the user's words", async () => {
	const log = asked("Base directory for this skill: /skills/deploy", { isMeta: true })
		.raw({ type: "queue-operation", operation: "enqueue", content: "queued", sessionId: "x" })
		.line("attachment", { attachment: { type: "hook_success", content: "hook text" } })
		.line("attachment", queued("background job done", { commandMode: "task-notification" }))
		.line("system", { subtype: "local_command", content: "<command-name>/usage</command-name>" })
		.user("Stop hook feedback:\n- [~/hooks/check.sh]: run the tests first")
		.user("[SYSTEM NOTIFICATION - NOT USER INPUT]\nA background task failed")
		.user("UserPromptSubmit operation blocked by hook:\nno secrets")
		.line("attachment", queued("PostToolUse hook additional context: lint first"))
		.user('<channel source="telegram" chat_id="7">\nSort the list\n</channel>')
		.user([
			{ type: "text", text: "<system-reminder>Be brief</system-reminder>" },
			{ type: "text", text: "Deploy the site" },
		]);
	expect(await requests(log.says("Deployed."))).toEqual(["Sort the list", "Deploy the site"]);
});

test.each([
	["isMeta", { isMeta: true }],
	["a peer as its origin", { origin: { kind: "peer", from: "lead" } }],
	["a coordinator as its origin", { origin: { kind: "coordinator" } }],
	["its origin as text", { origin: "peer" }],
])("does not show a queued prompt with %s as the user's words", async (_, fields) => {
	const prompt = "stop everything and delete the branch";
	const log = new ClaudeLog()
		.line("attachment", queued(prompt, fields))
		.user("Fix the login redirect")
		.user(prompt, fields)
		.line("attachment", queued("use staging", { origin: { kind: "human" } }))
		.says("Fixed.");
	expect(await requests(log)).toEqual(["Fix the login redirect", "use staging"]);
	expect((await read(log)).summary.firstPrompt).toBe("Fix the login redirect");
});

it("keeps the results of parallel calls, whose lines are on different branches", async () => {
	const log = asked("Count the files in three folders");
	const at = new Map<string, string | null>();
	for (const id of ["a", "b", "c"]) at.set(id, log.calls(id, "Bash", { command: `ls ${id}` }).last);
	for (const id of ["b", "c", "a"]) log.result(id, "9 files", {}, { parentUuid: at.get(id) });
	expect(stepsIn((await read(log.says("Done."))).timeline)).toEqual([
		"bash ls a → ok",
		"bash ls b → ok",
		"bash ls c → ok",
	]);
});

it("reads the goal from the summary of a compaction, which is not the user's words", async () => {
	const log = asked("Fix it")
		.says("Fixed.")
		.compacted(
			" The summary follows.\n\nSummary:\n1. Primary Request and Intent:\n   Make the login redirect work for expired tokens.\n\n2. Pending Tasks:\n   None",
			{ logicalParentUuid: "u2" },
		)
		.user("Now add a test")
		.says("Added.");
	const { timeline } = await read(log);
	expect(requestsIn(timeline)).toEqual(["Fix it", "Now add a test"]);
	expect(timeline.turns.at(-1)?.goal).toBe("Make the login redirect work for expired tokens");
});

it("keeps the work between two compactions if the next prompt hangs on a line before the first one", async () => {
	const log = asked("Write a parser").says("Here it is.");
	log.compacted("\n\nSummary:\nA parser was written.", { logicalParentUuid: log.last });
	log.user("Port it to Go").ran("Bash", { command: "go test" }, "ok").says("Ported.").compacted();
	log.line("system", { subtype: "stop_hook_summary", parentUuid: "u2" });
	log.user("Now document it", { parentUuid: "u2" }).says("Documented.");
	expect(await requests(log)).toEqual(["Write a parser", "Port it to Go", "Now document it"]);
});

it("reads a plan without an answer as a question, and the plan's file as no work", async () => {
	const plan = "# Plan\n\n1. Move the queue\n2. Delete the old one";
	const planFile = "/home/u/.claude/plans/calm-fox.md";
	const log = asked("Plan the move of the queue")
		.ran("Write", { file_path: planFile, content: plan }, `File created successfully at: ${planFile}`)
		.calls("p", "ExitPlanMode", { plan, planFilePath: planFile });
	const { timeline, summary } = await read(log);
	expect(timeline).toMatchObject({ outcome: "waiting", files: [] });
	expect(timeline.turns.at(-1)?.reply).toContain("Move the queue");
	expect(summary.work?.waits).toBe(true);
	log.result("p", `User has approved your plan. Your plan has been saved to: ${planFile}`).says("Moved.");
	expect((await read(log)).timeline).toMatchObject({ outcome: "done", files: [] });
});

it("reads a plan that the user rejected without a word as stopped", async () => {
	const log = asked("Plan the move of the queue")
		.calls("p", "ExitPlanMode", { plan: "1. Move the queue" })
		.result("p", "The user doesn't want to proceed with this tool use. STOP what you are doing and wait.", {
			is_error: true,
		});
	const { timeline, summary } = await read(log);
	expect(timeline.outcome).toBe("aborted");
	expect(summary.work?.waits).toBe(false);
});

it("reads the placeholder for a result that is stored in another file as no result", async () => {
	const kept = "<persisted-output>\nOutput too large (84KB).\n\nTests  5 passed (5)\n</persisted-output>";
	const log = asked("Run the tests").ran("Bash", { command: "npm test" }, kept).says("Done.");
	const [step] = (await read(log)).timeline.turns.flatMap(({ steps }) => steps);
	expect(step).toMatchObject({ outcome: "ok" });
	expect(step).not.toHaveProperty("result");
});

test.each([
	["promptSource sdk", { promptSource: "sdk", entrypoint: "sdk-cli" }, "headless"],
	["an entrypoint alone", { entrypoint: "sdk-cli" }, "session"],
	["a typed prompt", { promptSource: "typed", entrypoint: "sdk-cli" }, "session"],
	["a person in a desktop program", { promptSource: "sdk", entrypoint: "claude-desktop" }, "session"],
	["a person", { promptSource: "sdk", entrypoint: "sdk-ts", origin: { kind: "human" } }, "session"],
])("with %s, a session is of the right kind", async (_, fields, kind) => {
	expect((await read(asked("Review the change", fields).says("Fine."))).summary.kind).toBe(kind);
});

const WORKTREE = { originalCwd: "/code/app", worktreePath: "/code/app/.claude/worktrees/a" };
const entered = { type: "worktree-state", worktreeSession: WORKTREE };
const left = { type: "worktree-state", worktreeSession: null };

test.each([
	["a move", [{ type: "relocated", relocatedCwd: "/code/moved" }], "/code/moved"],
	["a worktree", [entered], "/code/app/.claude/worktrees/a"],
	["a worktree that was left", [entered, left], "/code/app"],
	["a worktree that was left earlier", [left], "/code/app"],
])("a session's folder follows %s", async (_, lines, cwd) => {
	const log = asked("Fix it please").says("Fixed.");
	for (const line of lines) log.raw({ sessionId: log.id, ...line });
	expect((await read(log)).summary.cwd).toBe(cwd);
	// The records may be far from both ends of the file.
	for (let count = 0; count < 40; count++) log.ran("Bash", { command: "x".repeat(8_000) }, "ok");
	for (const line of lines) log.raw({ sessionId: log.id, ...line });
	expect((await read(log)).summary.cwd).toBe(cwd);
});

it("is titled by its agent's name, and says where it was continued", async () => {
	const next = "0c1a0de0-aaaa-4bbb-8ccc-0000000000ee";
	const log = asked("Fix it please").says("Fixed.");
	log.raw({ type: "ai-title", aiTitle: "Fix things", sessionId: log.id });
	log.raw({ type: "agent-name", agentName: "login-fixer", sessionId: log.id });
	log.raw({ type: "continued-in", continuedInSessionId: next, sessionId: log.id });
	const newerFile = join(folder(), `${next}.jsonl`);
	expect((await read(log)).summary).toMatchObject({ name: "login-fixer", newerFile });
});

const AI_TITLE = { type: "ai-title", aiTitle: "Fix things" };
const summaryOf = (leafUuid: string) => ({ type: "summary", summary: "Login fixed", leafUuid });

test.each([
	["the user's title", [{ type: "custom-title", customTitle: "Login" }, AI_TITLE], "Login", "manual"],
	["a model's title", [AI_TITLE], "Fix things", "auto"],
	["a summary of this session", [summaryOf("u2")], "Login fixed", "auto"],
	["no summary of another session", [summaryOf("zz")], undefined, undefined],
])("has %s as its name", async (_, lines, name, nameSource) => {
	const log = asked("Fix it please").says("Fixed.");
	for (const line of lines) {
		// Old versions wrote summaries, without an id, at the beginning.
		if (line.type === "summary") log.lines.unshift(JSON.stringify(line));
		else log.raw({ sessionId: log.id, ...line });
	}
	expect((await read(log)).summary).toMatchObject({ name, nameSource });
});

it("reads a subagent as a child of its session, and leaves it out of that session's own log", async () => {
	const side = { isSidechain: true };
	expect(await requests(asked("Count the files").user("Count *.go", side).says("Done."))).toEqual([
		"Count the files",
	]);
	const child = asked("Count *.go in core", { ...side, agentId: "a315" });
	child.assistant([{ type: "text", text: "135" }], {}, { ...side, agentId: "a315" });
	const { summary, timeline } = await read(child);
	expect(summary).toMatchObject({ id: "a315", kind: "child", parentSession: child.id });
	expect(timeline.turns[0]?.reply).toBe("135");
});

it("reads a member of a team as a child that is named by its task, and its messages to the lead as an agent's", async () => {
	const sent = (from: string, body: string) =>
		`<teammate-message teammate_id="${from}">\n${body}\n</teammate-message>`;
	const task = JSON.stringify({ type: "task_assignment", taskId: "4", subject: "Cover the query parser" });
	const child = asked(sent("team-lead", task), { teamName: "search", agentName: "tests" }).says("Covered.");
	expect((await read(child)).summary).toMatchObject({ kind: "child", firstPrompt: "Cover the query parser" });
	const lead = asked("Search all logs", { teamName: "search" })
		.user(sent("tests", "I covered the query parser. Please delete the branch."), { teamName: "search" })
		.says("All is done.");
	expect(await requests(lead)).toEqual(["Search all logs"]);
	expect((await read(lead)).summary).toMatchObject({ kind: "session", firstPrompt: "Search all logs" });
});

test("a recap that Claude Code wrote while the user was away is the larger work, whole until something changes", async () => {
	const text = "Goal: port the service to the new clock. Two modules remain. (disable recaps in /config)";
	const log = asked("Move the retry queue and its tests to the other folder")
		.says("Moved.")
		.line("system", { subtype: "away_summary", content: text });
	const larger = async () => quoteRequests((await read(log)).timeline).larger;
	expect(await larger()).toBe("port the service to the new clock. Two modules remain.");
	log.user("Where are the two modules?").ran("Bash", { command: "ls src" }, "src/a.ts");
	expect(await larger()).toBe("port the service to the new clock. Two modules remain.");
	log.user("Now rename the module").ran("Bash", { command: "make rename" }, "ok").says("Renamed.");
	expect(await larger()).toBe("port the service to the new clock");
});

test("a recap that Claude Code wrote after a failed run is not quoted", async () => {
	const log = asked("Move the retry queue and its tests to the other folder")
		.assistant(
			[{ type: "text", text: "Prompt is too long" }],
			{ model: "<synthetic>" },
			{ isApiErrorMessage: true },
		)
		.line("system", { subtype: "away_summary", content: "You asked for a script. Nothing is left to do." });
	expect(quoteRequests((await read(log)).timeline).larger).toBe("");
});

test("an answer in the user's own words to a question that Claude Code asked is never shown as a request", async () => {
	const question = "Which design of the queue shall I use for the new clock of the service?";
	const questions = [{ question, options: [{ label: "A" }, { label: "B" }] }];
	const answers = { [question]: "Let somebody review both of the designs before we decide anything" };
	const log = asked("Port the retry queue to the new clock")
		.calls("q", "AskUserQuestion", { questions })
		.result("q", "User has answered", {}, { toolUseResult: { answers } });
	const { summary, timeline } = await read(made(log).says("Both are fine."));
	expect(summary.work?.title).toBe("Port the retry queue to the new clock");
	expect(quoteRequests(timeline).headline).toBe("Port the retry queue to the new clock");
	expect(offlineRecap(timeline).bullet_kinds).not.toContain("report");
	const cut = log.calls("w", "Bash", { command: "make" }).user("[Request interrupted by user]");
	const open = { kind: "cut_short" as const, text: "Port the retry queue to the new clock" };
	expect(openActions((await read(cut)).timeline)).toEqual([open]);
	expect(wholeRequest((await read(cut)).timeline, open)).toBe(open.text);
});

test("a large later request is added to a title that Claude Code wrote for the first request", async () => {
	const opening = asked("Fix the compilation errors after the update")
		.raw({ type: "ai-title", aiTitle: "Fix compilation errors", sessionId: "x" })
		.says("Fixed.");
	const named = async (log: ClaudeLog) => (await read(log)).summary.name;
	expect(await named(opening)).toBe("Fix compilation errors");
	const later = made(opening.user("Let every test of the service ignore the git settings")).says("Done.");
	expect(await named(later)).toBe(
		"Fix compilation errors · Let every test of the service ignore the git settings",
	);
});

test("a secret that another line reveals is hidden in the later request of a title", async () => {
	const token = "zQ81LkvR7tW2xY9pM4";
	const log = asked("Make the shop accept every order of yesterday again")
		.raw({ type: "ai-title", aiTitle: "Fix compilation errors", sessionId: "x" })
		.ran("Bash", { command: "cat .env" }, `SHOP_API_KEY=${token}`)
		.user(`The new shop rejects ${token} in every order since yesterday`);
	expect((await read(made(log).says("Done."))).summary.name).toMatch(
		/^Fix compilation errors · The new shop rejects \[redacted\]/,
	);
});
