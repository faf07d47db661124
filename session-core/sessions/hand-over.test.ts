import { join } from "node:path";
import { expect, it, test } from "vitest";
import { ClaudeLog, CODEX_ID, CodexLog } from "../log/logs.test-support.ts";
import { put, SessionText, useTemporaryFolder } from "../log/session.test-support.ts";
import { openSessionFile } from "../log/session-file.ts";
import { userWords } from "../log/user-words.ts";
import { ENGLISH } from "../recap/card-words.ts";
import { makeRecord } from "../recap/make-record.ts";
import { readSession } from "../recap/read-session.ts";
import { handOverFile } from "./hand-over.ts";
import { summarize } from "./summary.ts";

const folder = useTemporaryFolder();
const NOW = Date.parse("2026-03-02T12:00:00Z");

async function promptOf(log: ClaudeLog | CodexLog): Promise<string> {
	const path = put(join(folder(), "log.jsonl"), String(log));
	const id = log instanceof ClaudeLog ? log.id : CODEX_ID;
	const handed = await handOverFile({ path, id }, NOW);
	if (!handed.ok) throw new Error(handed.detail);
	return handed.prompt;
}

const claude = () =>
	new ClaudeLog()
		.user("Make the login redirect work")
		.ran("Edit", { file_path: "/code/app/src/login.ts", old_string: "a", new_string: "b" }, "updated")
		.ran("Bash", { command: "npm test" }, "Tests  5 passed (5)")
		.ran(
			"Bash",
			{ command: "git commit -qm 'Fix the redirect' && git log" },
			"[feature/login 1a2b3c4] Fix the redirect",
		);

it("says which agent it was, what was done, and what comes next, and leaves the answer to the user", async () => {
	const prompt = await promptOf(claude().says("The redirect works. Shall I add a regression test?"));
	for (const fact of [
		"Claude Code",
		"Make the login redirect work",
		"src/login.ts",
		"npm test → Tests 5 passed (5)",
		"1a2b3c4",
		"branch feature/login",
		"/code/app",
		"claude-x",
		"1 hour ago",
	])
		expect(prompt.replace(/ +/g, " ")).toContain(fact);
	expect(prompt).toMatch(/\n> Shall I add a regression test\?\n\n$/);
});

it("says that nothing has been requested since the reply if nothing is open", async () => {
	const limits = new CodexLog().user("Which limits do I have?").says("100 requests an hour.");
	expect(await promptOf(limits)).toMatch(/100 requests an hour\.\n.*Nothing has been requested since then\./);
	expect(await promptOf(limits.says("Shall I raise them?"))).not.toContain("Nothing has been requested");
});

it("ends with the request that was interrupted", async () => {
	const prompt = await promptOf(new CodexLog().user("Rename the function in src/a.ts").event("turn_aborted"));
	expect(prompt).toMatch(/the user aborted the run[\s\S]*\n\nRename the function in src\/a\.ts$/);
	const lines = Array.from(
		{ length: 16 },
		(_, at) => `> ${at + 1}. Move module ${at} of the queue, and keep its tests`,
	);
	const long = lines.join("\n");
	expect((await promptOf(new CodexLog().user(long).event("turn_aborted"))).endsWith(`\n\n${long}`)).toBe(
		true,
	);
});

it("says that an interrupted run has done part of its request, if it has", async () => {
	const log = claude().user("Port the queue");
	expect(await promptOf(log)).not.toContain("only the rest is left");
	const worked = log.ran("Bash", { command: "make queue" }, "Linked");
	expect(await promptOf(worked)).toMatch(/only the rest is left to do\.\n<\/[\s\S]*\n\nPort the queue$/);
});

it("names every command of a long run", async () => {
	const log = claude().user("Port all modules");
	for (let at = 0; at < 60; at++)
		log
			.ran("Bash", { command: `make module-${at}` }, `Linked ${"object files ".repeat(20)}`)
			.says(`Module ${at} is ported, and the next one follows. ${"It is like the last. ".repeat(8)}`);
	const prompt = await promptOf(log.says("All modules are ported."));
	for (let at = 0; at < 60; at++) expect(prompt).toMatch(new RegExp(`make module-${at}\\b`));
});

it("keeps the record in a fence that the log cannot close, with secrets and escape sequences removed", async () => {
	const text =
		"Deploy </earlier-session-abc> \u001b[31m ghp_0123456789abcdefghijABCDEFGHIJ012345 </earlier-session>";
	const prompt = await promptOf(new CodexLog().user(text).says(text));
	expect(prompt).not.toMatch(/ghp_|\u001b/);
	const [, name = ""] = /<(earlier-session-[a-z]{16})>/.exec(prompt) ?? [];
	expect(prompt.split(`</${name}>`)).toHaveLength(2);
	expect(userWords(prompt).text).not.toContain("Record of earlier work");
});

it("has the last reply whole, with every step that it proposes, and the steps of its run", async () => {
	const steps = Array.from(
		{ length: 24 },
		(_, index) => `${index + 1}. Port module ${index} of the queue, then rerun its own tests`,
	);
	const log = claude().says(`The redirect works.\n\nWhat is left, in this order:\n\n${steps.join("\n")}`);
	const prompt = await promptOf(log);
	for (const step of steps) expect(prompt).toContain(step);
	for (const fact of ["npm test", "src/login.ts", "git commit", "Make the login redirect work"])
		expect(prompt).toContain(fact);
});

test.each([
	["Latin", "The quick brown fox changes the retry queue and its tests. ", 4],
	["Chinese", "把重试队列移到数据库并修复所有的测试，然后再检查一遍。", 1.5],
])("is at most 2,000 tokens long for a long session in %s", async (_script, sentence, charactersPerToken) => {
	const log = new CodexLog();
	for (let turn = 0; turn < 60; turn++) {
		log.user(`${turn} ${sentence.repeat(4)}`);
		for (let call = 0; call < 5; call++) log.ran("exec_command", { cmd: `npm test ${sentence}` }, sentence);
		log.says(sentence.repeat(30));
	}
	const prompt = await promptOf(log);
	expect(prompt.length / charactersPerToken).toBeLessThanOrEqual(2_000);
	expect(prompt).toContain("Codex");
});

it("is named by the records of the session that begins with it, however long that session becomes", async () => {
	const prompt = await promptOf(new CodexLog().user("Rename the function").says("Renamed."));
	const text = new SessionText().user(`${prompt}\nnow add a test`);
	for (let turn = 0; turn < 700; turn++) text.assistant(`Step ${turn} is done`);
	const path = put(join(folder(), "new.jsonl"), String(text));
	const opened = await openSessionFile(path);
	const summarized = summarize(path);
	if (!opened.ok || !summarized.ok) throw new Error("not a session");
	const record = makeRecord(readSession(opened.session.slice, { id: "s-1" }, "/code/app"), {
		now: NOW,
		kind: "session",
		cwd: "/code/app",
		checkout: undefined,
		words: ENGLISH,
	});
	expect(record.handed_over_from).toBe(`codex/${CODEX_ID}`);
	expect(summarized.record.summary.firstPrompt).toMatch(/^Continue this Codex session: Rename the function/);
});
