import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import stringWidth from "string-width";
import { beforeEach, expect, test } from "vitest";
import { put, SessionText, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { projectFolder, sessionsRoot } from "../../session-core/sessions/folders.ts";
import { named, Shell } from "../shell.test-support.ts";

const folder = useTemporaryFolder();
const shell = new Shell(folder);
const folderOf = (cwd: string) => projectFolder(sessionsRoot(shell.agentDir), cwd);
const ONE = "11111111-aaaa";
const TWO = "22222222-bbbb";
const CHILD = "55555555-eeee";
beforeEach(() => {
	shell.named(ONE, "Fix the date parser");
	shell.named(TWO, "Move the queue", "/elsewhere");
});

async function table(columns: number, ...words: string[]): Promise<string[]> {
	const { out } = await shell.run(["list", ...words], { columns, env: { NO_COLOR: "1" } });
	return out.trimEnd().split("\n");
}

test("prints fields in a pipe", async () => {
	const { code, out } = await shell.run("list");
	expect(code).toBe(0);
	expect(out).toMatch(/^closed\t\S+\t11111111-aaaa\tFix the date parser\t.*project\t\n$/);
});

test.each([
	["", [ONE]],
	["--background", [ONE, CHILD]],
	["--state closed", [ONE, CHILD]],
	["--all", [TWO, ONE]],
	["--all --state waiting", [TWO]],
	["--all --state=working", []],
	["--all --state live", [TWO]],
])("list %s", async (words, ids) => {
	shell.open(TWO, "waiting");
	const child = new SessionText({ id: CHILD, cwd: shell.cwd });
	const task = "Task: You are a delegated subagent. Task: sort it";
	shell.session("child", child.user(task).assistant("Done."));
	const { sessions } = await shell.json(`list --json ${words}`);
	expect(sessions.map(({ id }: { id: string }) => id).toSorted()).toEqual(ids.toSorted());
});

test("prints JSON of a stable shape", async () => {
	shell.open(ONE, "working");
	const unknown = ["branch", "doing", "steps", "dialog", "waiting_since", "parent_session", "ending"];
	const nulls = [...unknown, "next", "next_kind", "recap"].map((name) => [name, null]);
	const numbers = ["since", "created_at", "modified_at", "size"].map((name) => [name, expect.any(Number)]);
	const id = { id: ONE, agent: "pi", mark: "", last_message_id: expect.any(String) };
	const title = { title: "Fix the date parser", title_source: "manual", kind: "session" };
	const state = { state: "working", interactive: true, pid: process.pid, waits: false, failed: false };
	const path = join(folderOf(shell.cwd), `${ONE}.jsonl`);
	const place = { cwd: shell.cwd, path, project: expect.any(String), overlaps: [], readable: true };
	const prompt = { first_prompt: "Please fix the date parser", model: "acme/m-1" };
	expect((await shell.json("list --json")).sessions).toEqual([
		{ ...Object.fromEntries([...nulls, ...numbers]), ...id, ...title, ...state, ...place, ...prompt },
	]);
});

test("in a terminal, marks sessions that changed the same file, and names the file", async () => {
	for (const [id, name] of [
		["77777777-aaaa", "Fix the login"],
		["88888888-bbbb", "Raise it"],
	] as const)
		shell
			.open(id, "idle", shell.named(id, name))
			.report({ changed: [{ path: "/work/src/auth.ts", at: 1_000 }] });
	const { out, err } = await shell.run("list", { columns: 100 });
	expect(out).toMatch(/⚠ Fix the login[\s\S]*⚠ Raise it[\s\S]*Fix the date parser/);
	expect(err).toMatch(/⚠ \/work\/src\/auth\.ts has .* from "(Fix the login|Raise it)" and "\w/);
});

test.each([20, 80])("fits into a terminal of %i columns, in any script", async (columns) => {
	shell.named("33333333-cccc", "日本語のとても長い題名を持つセッション、検索の誤りを直す");
	shell.named("44444444-dddd", "A very long title ".repeat(20));
	shell.open("33333333-cccc", "waiting");
	const { out } = await shell.run("list --all", { columns, env: { TERM: "xterm" } });
	const lines = out.trimEnd().split("\n");
	expect(lines).toHaveLength(4);
	for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
	expect(out).toContain("\x1b[33m◆");
	expect((await table(columns, "--all")).join()).not.toContain("\x1b");
});

test("lists this project's sessions from a common folder, and marks those that may come from a repository", async () => {
	const sessionDir = join(shell.cwd, "s");
	put(join(sessionDir, "a.jsonl"), String(named("6666aaaa", "Planted", shell.cwd)));
	put(join(sessionDir, "b.jsonl"), String(named("7777aaaa", "There", "/elsewhere")));
	const { out } = await shell.run("list", { sessionDir, columns: 100 });
	expect(out).toMatch(/Planted.*stored in the repository/);
	const marked = /Planted\t.*\tstored in the repository$/m;
	expect((await shell.run("list", { sessionDir })).out).toMatch(marked);
	expect((await shell.run("list --all", { sessionDir })).out).toContain("There");
	expect((await shell.run("list")).out).not.toContain("in the repository");
	const { sessions } = await shell.json("list --json", { sessionDir });
	expect(sessions).toMatchObject([{ title: "Planted", planted: true }]);
});

test.skipIf(process.platform === "win32").each([
	["list --json", 1],
	["today", 1],
	["resume --continue", 2],
])("%s fails if the session folder cannot be read, and names it", async (words, code) => {
	const sessionDir = join(folder(), "loop");
	symlinkSync(sessionDir, sessionDir);
	const err = expect.stringContaining(`${sessionDir} cannot be read (ELOOP).\n`);
	expect(await shell.run(words, { sessionDir })).toMatchObject({ code, err });
});

test("suggests --all if there is none", async () => {
	const none = await shell.run("list", { agentDir: join(folder(), "none") });
	expect(none).toMatchObject({ code: 0, out: "", err: expect.stringContaining("--all") });
	expect(await shell.json("list --json", { cwd: "/nowhere" })).toEqual({ sessions: [] });
});

test("in a folder that was renamed or moved says where its sessions are", async () => {
	const places = ["old-name", "away/project", "kept"].map((name) => join(folder(), name));
	const [renamed = "", moved = "", kept = ""] = places;
	mkdirSync(kept);
	for (const [index, cwd] of [...places, "/gone/other"].entries())
		shell.named(`4444444${index}-eeee`, "Fix it", cwd);
	const told = (cwd: string) =>
		`The folder ${cwd} no longer exists, but its sessions are in ${folderOf(cwd)}.\n`;
	for (const [cwd, former] of [
		["new/project", moved],
		["new-name", renamed],
	] as const)
		expect((await shell.run("list", { cwd: join(folder(), cwd) })).err).toBe(
			`No sessions in this project. Use --all to include all projects.\n${told(former)}`,
		);
});

test("is a table in a terminal: live sessions first, then the newest, with marks, and next steps in one column", async () => {
	const asking = (id: string) =>
		new SessionText({ id, cwd: shell.cwd })
			.user("Sort the shelves of the library by colour")
			.assistant("Shall I dust them, too?");
	shell.session("asks", asking("33333333-cccc"));
	const failed = new SessionText({ id: "44444444-dddd", cwd: shell.cwd }).user("Deploy the server now");
	const error = { content: [], stopReason: "error" as const, errorMessage: "529 overloaded" };
	shell.session("failed", failed.assistant("", error));
	shell.session("open", asking(CHILD).name("検索の誤りを直す"));
	const newest = named("66666666-ffff", "Write the changelog of the release", shell.cwd);
	shell.session("newest", String(newest).replaceAll("2026-01-31", "2026-02-01"));
	shell.open(CHILD, "waiting");
	const lines = await table(100);
	expect(lines.map((line) => line[0])).toEqual(["◆", " ", " ", "◇", "✗"]);
	const nexts = lines.filter((line) => line.includes("→"));
	expect(nexts.length).toBeGreaterThanOrEqual(2);
	expect(new Set(nexts.map((line) => stringWidth(line.slice(0, line.indexOf("→"))))).size).toBe(1);
	expect(nexts[0]).toContain("→ Shall I dust them, too?");
	// The failed session has one request, which is its title and its next step.
	expect(lines.join().split("Deploy the server now")).toHaveLength(2);
	expect((await table(100, "--limit", "1"))[0]).toMatch(/^◆/);
});

test("a short id is long enough for other commands to accept it", async () => {
	const ids = ["1111-7000-8000-000000000001", "1111-7000-8000-000000000002", "2222-7000"];
	for (const [index, end] of ids.entries()) shell.named(`019aa001-${end}`, `Task ${"abc"[index]}`);
	const lines = await table(120);
	const found = lines.map((line) => /(\S+) {2,}(Task \w)/.exec(line)).filter((match) => match !== null);
	expect(found.map(([, id]) => id?.length).toSorted()).toEqual([13, 36, 36]);
	for (const [, id = "", title] of found)
		expect(await shell.run(["show", id])).toMatchObject({
			code: 0,
			out: expect.stringMatching(`^${title}\n`),
		});
	expect(lines.join("\n")).toMatch(/ 11111111 +Fix/);
});
