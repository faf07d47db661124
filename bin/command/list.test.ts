import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import stringWidth from "string-width";
import { beforeEach, describe, expect, test } from "vitest";
import { put, SessionText, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { projectFolder, sessionsRoot } from "../../session-core/sessions/folders.ts";
import { named, Shell } from "../shell.test-support.ts";

const folder = useTemporaryFolder();
const shell = new Shell(folder);
const folderOf = (cwd: string) => projectFolder(sessionsRoot(shell.agentDir), cwd);
beforeEach(() => {
	shell.session("one", named("11111111-aaaa", "Fix the date parser", shell.cwd));
	shell.session("two", named("22222222-bbbb", "Move the queue", "/elsewhere"), "/elsewhere");
});

describe("list", () => {
	test("lists the sessions of this project, or of all with --all", async () => {
		const { code, out } = await shell.run(["list"]);
		expect(code).toBe(0);
		expect(out).toMatch(/^closed\t\S+\t11111111-aaaa\tFix the date parser\t.*project\t\n$/);
		expect((await shell.run(["list", "--all"])).out.split("\n")).toHaveLength(3);
	});

	test("shows and filters by the state of live sessions", async () => {
		shell.open("22222222-bbbb", "waiting");
		expect((await shell.run(["list", "--all", "--state", "waiting"])).out).toMatch(
			/^waiting\t.*Move the queue.*\n$/,
		);
		expect((await shell.run(["list", "--all", "--state=working"])).out).toBe("");
		expect((await shell.run(["list", "--all", "--state", "live"])).out.split("\n")).toHaveLength(2);
	});

	test("prints JSON of a stable shape", async () => {
		shell.open("11111111-aaaa", "working");
		const { out } = await shell.run(["list", "--json"]);
		const { sessions } = JSON.parse(out);
		const unknown = ["branch", "doing", "steps", "dialog", "waiting_since", "parent_session", "ending"];
		const nulls = [...unknown, "next", "next_kind", "recap"].map((name) => [name, null]);
		const numbers = ["since", "created_at", "modified_at", "size"].map((name) => [name, expect.any(Number)]);
		const id = { id: "11111111-aaaa", agent: "pi", mark: "", last_message_id: expect.any(String) };
		const title = { title: "Fix the date parser", title_source: "manual", kind: "session" };
		const state = { state: "working", interactive: true, pid: process.pid, waits: false, failed: false };
		const place = {
			cwd: shell.cwd,
			path: join(folderOf(shell.cwd), "one.jsonl"),
			project: expect.any(String),
		};
		const prompt = { first_prompt: "Please fix the date parser", model: "acme/m-1" };
		expect(sessions).toEqual([
			{
				...Object.fromEntries([...nulls, ...numbers]),
				...{ ...id, ...title, ...state, ...place, ...prompt },
				...{ overlaps: [], readable: true },
			},
		]);
	});

	test("in a terminal, marks sessions that changed the same file, and names the file", async () => {
		for (const [id, name] of Object.entries({
			"77777777-aaaa": "Fix the login",
			"88888888-bbbb": "Raise it",
		})) {
			const file = shell.session(name, named(id, name, shell.cwd));
			shell.open(id, "idle", file).report({ changed: [{ path: "/work/src/auth.ts", at: 1_000 }] });
		}
		const { out, err } = await shell.run(["list"], { columns: 100 });
		expect(out).toMatch(/⚠ Fix the login[\s\S]*⚠ Raise it[\s\S]*Fix the date parser/);
		expect(err).toMatch(/⚠ \/work\/src\/auth\.ts was changed in "(Fix the login|Raise it)" and "\w/);
	});

	test("the first list is the same as the next one, even with many sessions", async () => {
		for (let index = 0; index < 650; index++) {
			const text = new SessionText({ id: `${10_000 + index}-cccc`, cwd: shell.cwd });
			text.user(`Sort shelf number ${index} of the library by colour`).assistant("Sorted.");
			text.user("also dust it").assistant("Shall I dust the other shelves, too?");
			shell.session(`shelf-${index}`, text);
		}
		const first = await shell.run(["list", "--json"]);
		expect(await shell.run(["list", "--json"])).toEqual(first);
		const { sessions } = JSON.parse(first.out);
		expect(sessions).toHaveLength(651);
		expect(sessions.filter(({ waits }: { waits: boolean }) => waits)).toHaveLength(650);
	});

	test("hides child sessions in JSON, too, unless --background is used", async () => {
		const child = new SessionText({ id: "55555555-eeee", cwd: shell.cwd });
		shell.session(
			"child",
			child.user("Task: You are a delegated subagent. Task: sort it").assistant("Done."),
		);
		const ids = async (...words: string[]) => {
			const { sessions } = JSON.parse((await shell.run(["list", "--json", ...words])).out);
			return sessions.map(({ id }: { id: string }) => id).toSorted();
		};
		expect(await ids()).toEqual(["11111111-aaaa"]);
		expect(await ids("--background")).toEqual(["11111111-aaaa", "55555555-eeee"]);
		expect(await ids("--state", "closed")).toEqual(["11111111-aaaa", "55555555-eeee"]);
	});

	test.each([20, 40, 80, 200])("fits into a terminal of %i columns, in any script", async (columns) => {
		shell.session(
			"cjk",
			named("33333333-cccc", "日本語のとても長い題名を持つセッション、検索の誤りを直す", shell.cwd),
		);
		shell.session("long", named("44444444-dddd", "A very long title ".repeat(20), shell.cwd));
		shell.open("33333333-cccc", "waiting");
		const { out } = await shell.run(["list", "--all"], { columns, env: { TERM: "xterm" } });
		const lines = out.trimEnd().split("\n");
		expect(lines).toHaveLength(4);
		for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
		expect(out).toContain("\x1b[33m◆");
		const plain = await shell.run(["list", "--all"], { columns, env: { TERM: "xterm", NO_COLOR: "1" } });
		expect(plain.out).not.toContain("\x1b");
	});

	test("lists the sessions of this project from a session folder that the user chose", async () => {
		const sessionDir = join(shell.agentDir, "mine");
		const more = { sessionDir };
		expect(await shell.run(["list"], more)).toMatchObject({ code: 0, out: "" });
		put(join(sessionDir, "a.jsonl"), String(named("6666aaaa", "Here", shell.cwd)));
		put(join(sessionDir, "b.jsonl"), String(named("7777aaaa", "There", "/elsewhere")));
		expect((await shell.run(["list"], more)).out).toContain("Here");
		expect((await shell.run(["list"], more)).out).not.toContain("There");
		expect((await shell.run(["list", "--all"], more)).out).toContain("There");
	});

	test("marks the sessions that a repository could have written", async () => {
		const sessionDir = join(shell.cwd, "s");
		put(join(sessionDir, "a.jsonl"), String(named("6666aaaa", "Planted", shell.cwd)));
		shell.session("own", named("7777aaaa", "Own", shell.cwd));
		expect((await shell.run(["list"], { sessionDir })).out).toMatch(
			/Planted\t.*\tstored in the repository$/m,
		);
		expect((await shell.run(["list"], { sessionDir, columns: 100 })).out).toMatch(
			/Planted.*stored in the repository/,
		);
		expect((await shell.run(["list"])).out).not.toContain("in the repository");
		const { out } = await shell.run(["list", "--json"], { sessionDir });
		expect(JSON.parse(out).sessions).toMatchObject([{ title: "Planted", planted: true }]);
	});

	test.skipIf(process.platform === "win32")("fails if the session folder cannot be read", async () => {
		const sessionDir = join(folder(), "loop");
		symlinkSync(sessionDir, sessionDir);
		const told = `${sessionDir} cannot be read (ELOOP).`;
		for (const words of ["list", "list --all", "list --json", "today", "resume --continue"]) {
			const [name = ""] = words.split(" ");
			const { code, err } = await shell.run(words.split(" "), { sessionDir });
			expect([words, code, err]).toEqual([
				words,
				name === "resume" ? 2 : 1,
				`pi-sessions ${name}: ${told}\n`,
			]);
		}
		const unknown = await shell.run(["show", "parser"], { sessionDir });
		expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining(told) });
	});

	test("suggests --all if there is none", async () => {
		const none = await shell.run(["list"], { agentDir: join(folder(), "none") });
		expect(none).toMatchObject({ code: 0, out: "" });
		expect(none.err).toContain("--all");
		expect(JSON.parse((await shell.run(["list", "--json"], { cwd: "/nowhere" })).out)).toEqual({
			sessions: [],
		});
	});

	/** The output of `list` in a terminal, without colors. */
	async function table(columns: number, ...words: string[]): Promise<string[]> {
		const { out } = await shell.run(["list", ...words], { columns, env: { NO_COLOR: "1" } });
		return out.trimEnd().split("\n");
	}

	test("in a folder that was renamed or moved says where its sessions are", async () => {
		const [renamed, moved, kept] = ["old-name", "away/project", "kept"].map((name) => join(folder(), name));
		mkdirSync(kept ?? "");
		for (const [index, cwd] of [renamed, moved, kept, "/gone/other"].entries())
			shell.session("one", named(`4444444${index}-eeee`, "Fix it", cwd ?? ""), cwd);
		const { err } = await shell.run(["list"], { cwd: join(folder(), "new/project") });
		expect(err).toBe(
			`No sessions in this project. Use --all to see all projects.\nThe sessions of ${moved}, which no longer exists, are in ${folderOf(moved ?? "")}.\n`,
		);
		const again = await shell.run(["list"], { cwd: join(folder(), "new-name") });
		expect(again.err).toContain(
			`The sessions of ${renamed}, which no longer exists, are in ${folderOf(renamed ?? "")}.`,
		);
		expect(again.err).not.toContain("kept");
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
		shell.session("open", asking("55555555-eeee").name("検索の誤りを直す"));
		const newest = named("66666666-ffff", "Write the changelog of the release", shell.cwd);
		shell.session("newest", String(newest).replaceAll("2026-01-31", "2026-02-01"));
		shell.open("55555555-eeee", "waiting");
		const lines = await table(100);
		expect(lines.map((line) => line[0])).toEqual(["◆", " ", "◇", "✗", " "]);
		const nexts = lines.filter((line) => line.includes("→"));
		expect(nexts.length).toBeGreaterThanOrEqual(2);
		const columnsOfNext = nexts.map((line) => stringWidth(line.slice(0, line.indexOf("→"))));
		expect(new Set(columnsOfNext).size).toBe(1);
		expect(nexts[0]).toContain("→ Shall I dust them, too?");
		// The failed session has one request, which is its title and its next step.
		expect(lines.filter((line) => line.includes("Deploy the server now"))).toHaveLength(1);
		expect(lines.join().split("Deploy the server now")).toHaveLength(2);
		expect((await table(100, "--limit", "1"))[0]).toMatch(/^◆/);
	});

	test("a short id is long enough for other commands to accept it", async () => {
		const ids = [
			"019aa001-1111-7000-8000-000000000001",
			"019aa001-1111-7000-8000-000000000002",
			"019aa001-2222-7000",
		];
		for (const [index, id] of ids.entries())
			shell.session(`2026-01-31T12-00-0${index}-000Z_${id}`, named(id, `Task ${"abc"[index]}`, shell.cwd));
		const lines = await table(120);
		const found = lines.map((line) => /(\S+) {2,}(Task \w)/.exec(line)).filter((match) => match !== null);
		expect(found).toHaveLength(3);
		for (const [, id = "", title] of found) {
			const { code, out } = await shell.run(["show", id]);
			expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(`^${title}\n`) });
		}
		expect(found.map(([, id]) => id?.length).toSorted()).toEqual([13, 36, 36]);
		expect(lines.join("\n")).toMatch(/ 11111111 +Fix/);
	});
});
