import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import { SessionText, useTemporaryFolder } from "../session-core/log/session.test-support.ts";
import { Shell } from "./shell.test-support.ts";

const BIN = fileURLToPath(new URL("pi-sessions.mjs", import.meta.url));
const ID = "11111111-aaaa";
const folder = useTemporaryFolder();
const shell = new Shell(folder);

describe("wrong arguments", () => {
	test.each([
		["lsit", /unknown command 'lsit'[\s\S]*Did you mean list\?/],
		["list --al", /unknown option '--al'[\s\S]*Did you mean --all\?[\s\S]*Run pi-sessions list --help/],
		["list --limit -1", /Specify a number from 0/],
		["search x --since soon", /Specify a time such as 90m/],
		["read 1111 --at @zzz", /has no entry "@zzz"\. Run pi-sessions search/],
		["read 1111 --around 2", /--around needs an entry/],
		["show 019", /at least the first four characters/],
		["show x --json --markdown", /'--markdown' cannot be used with option '--json'/],
		["resume --continue x", /either --continue or a session/],
		["show", /specify a session/],
	])("%s: exit code 2 and what to type instead", async (words, message) => {
		shell.named(ID, "Fix the parser");
		const err = expect.stringMatching(message);
		expect(await shell.run(words)).toEqual({ code: 2, out: "", err });
	});

	test("an unknown session: the nearest titles; several sessions: their ids", async () => {
		shell.named(ID, "Fix the date parser");
		const nearest =
			/no session matches "Fix the data parser"; run pi-sessions list[\s\S]*11111111-aaaa {2}Fix the date parser/;
		const unknown = await shell.run("show Fix the data parser");
		expect(unknown).toMatchObject({ code: 2, err: expect.stringMatching(nearest) });
		shell.named("22222222-bbbb", "Fix the date parser");
		const { code, err } = await shell.run("resume fix the date");
		expect(code).toBe(2);
		expect(err).toContain('several sessions match "fix the date". Specify one of these ids:');
		for (const id of [ID, "22222222-bbbb"]) expect(err).toContain(`  ${id}  Fix the date parser`);
	});
});

/** Types into the picker. Returns its last screen, later output, and pi's arguments. */
async function pick(words: readonly string[], ...keys: string[]) {
	const record = join(folder(), "record");
	shell.program("pi", `echo "$@" > ${record}\nexit 7`);
	let shown = "";
	const keyboard = new PassThrough();
	const out = { write: (text: string) => (shown += text), isTTY: true, columns: 80, rows: 6 };
	const running = shell.run(words, { out, keyboard });
	const drawn = () => expect.poll(() => shown.split("\x1b[H").length, { timeout: 20_000 });
	await drawn().toBeGreaterThan(1);
	for (const key of keys) keyboard.write(key);
	const { code, err } = await running;
	const [screens = "", after = ""] = shown.split("\x1b[?1049l");
	const last = stripVTControlCharacters(screens.split("\x1b[H").at(-1) ?? "").split("\r\n");
	return { code, err, last, shown, after, started: existsSync(record) ? readFileSync(record, "utf8") : "" };
}

test("in a terminal, the sessions with an ambiguous title are listed to choose from", async () => {
	shell.named("019aa001-1111-7000", "Fix the date parser");
	const asks = new SessionText({ id: "019aa001-2222-7000", cwd: shell.cwd }).user("Please fix it");
	const file = shell.session("two", asks.assistant("Shall I add a test?").name("Fix the date parser"));
	const words = ["resume", "date parser", "--dry-run"];
	const { code, last, after } = await pick(words, "019aa001-2", "\r");
	expect(last[1]).toMatch(/^› ◇ +\S+ +019aa001-2222 +Fix the date parser.*→ Shall/);
	expect([code, after.endsWith(`${file}\n`)]).toEqual([0, true]);
	const left = { code: 2, err: expect.stringContaining("no session was chosen") };
	expect(await pick(words, "\t", "\x1b")).toMatchObject(left);
});

describe("pi-sessions without a command in a terminal", () => {
	beforeEach(() => {
		for (const [index, name] of ["Fix the date parser", "Move the queue", "Sort the shelves"].entries())
			shell.named(`${index}1111111-aaaa`, name);
		shell.named("91111111-aaaa", "Write the changelog", "/elsewhere");
	});

	test("typing filters, and Enter resumes", async () => {
		const { code, last, shown, started } = await pick([], "QUEU", "x", "\x7f", "\r");
		const found = [expect.stringMatching(/^›.*Move the queue/), expect.stringMatching(/^1 found/)];
		expect(last).toEqual(["> QUEU ", ...found]);
		expect([code, started]).toEqual([7, expect.stringMatching(/--session \S+11111111-aaaa\.jsonl/)]);
		expect(shown).toMatch(/^\x1b\[\?1049h\x1b\[\?25l[\s\S]*\x1b\[\?25h\x1b\[\?1049l/);
	});

	test("arrows move the choice, which stays within the list", async () => {
		const titles = (await pick([], "\x03")).last.slice(1, -1).map((line) => line.slice(2).trim());
		const [up, down] = ["\x1b[A", "\x1b[B"];
		const { last, started } = await pick([], up, down, down, down, down, up, "\r");
		expect(last.findIndex((line) => line.startsWith("›"))).toBe(2);
		expect(last[2]).toContain(titles[1]);
		expect(started).not.toBe("");
	});

	test.each(["\x1b", "\x03"])("%j leaves; Enter without a match does nothing", async (key) => {
		const { code, last, started } = await pick([], "zeppelin", "\r", key);
		expect([code, started, last.length]).toEqual([0, "", 2]);
	});

	test("Tab lists the sessions of all projects, and every screen fits", async () => {
		const { last, shown } = await pick([], "\t", "changelog", "\x03");
		expect(last[1]).toMatch(/^›.* 91111111 +Write the changelog.*\/elsewhere/);
		for (const screen of stripVTControlCharacters(shown.replaceAll("\x1b[H", "\f")).split("\f"))
			for (const [index, line] of screen.split("\r\n").entries())
				expect(index < 6 && line.length <= 80).toBe(true);
	});

	test("without a session, the overview is printed", async () => {
		const none = { agentDir: join(folder(), "none"), keyboard: new PassThrough() };
		expect(await shell.run("", none)).toMatchObject({ code: 2, err: expect.stringContaining("Usage:") });
	});
});

test("every command has a help text with examples, which fits any terminal", async () => {
	const overview = await shell.run("--help", { columns: 80 });
	const commands = [...overview.out.matchAll(/^ {2}([a-z]+) .*/gm)];
	expect(commands.length).toBeGreaterThan(12);
	for (const [line, name = ""] of commands) {
		expect(line.length).toBeLessThanOrEqual(80);
		if (name === "help") continue;
		const { code, out } = await shell.run(`${name} --help`, { columns: 40 });
		const [help = "", examples] = out.split("Examples:\n");
		expect([code, help]).toEqual([0, expect.stringContaining(`Usage: pi-sessions ${name}`)]);
		expect(examples).toContain(`  pi-sessions ${name}`);
		for (const line of help.split("\n").slice(1)) expect(line.length).toBeLessThanOrEqual(40);
	}
	expect(await shell.run("help list")).toEqual(await shell.run("list --help"));
	expect((await shell.run("")).code).toBe(2);
	expect((await shell.run("--version")).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("with PI_SESSION_SUITE_DEBUG=1, operations are logged by ids and counts, never by text", async () => {
	shell.named(ID, "Fix the date parser");
	const env = { LANG: "C", PATH: "", PI_SESSION_SUITE_DEBUG: "1" };
	for (const words of ["recap 1111", "recap 1111", "resume 1111 --dry-run", "search parser"])
		await shell.run(words, { env });
	const log = readFileSync(join(shell.agentDir, "session-suite", "debug.log"), "utf8");
	for (const line of [
		/ record\.written session="11111111-aaaa" record="[\w-]+" kind="session" by="heuristic"/,
		/ record\.refused session="11111111-aaaa" reason="exists"/,
		/ resume\.planned session="11111111-aaaa" kind="session" branch=false/,
		/ search\.done sessions=1 hits=\d+ total=\d+/,
		/ shell\.run command="search" code=0/,
	])
		expect(log).toMatch(line);
	expect(log).not.toMatch(/parser/i);
});

describe("the program", () => {
	const env = (more: object = {}) => ({ ...process.env, PI_CODING_AGENT_DIR: shell.agentDir, ...more });
	/** Runs a command line in bash. In this line, `$P` stands for the program. */
	const bash = (line: string, more: object = {}, cwd = shell.cwd) => {
		const options = { cwd, env: env(more), encoding: "utf8" } as const;
		return spawnSync("/bin/bash", ["--norc", "-c", `P="${process.execPath} ${BIN}"; ${line}`], options);
	};

	test("works in a folder that has been removed", () => {
		const gone = mkdtempSync(join(realpathSync(folder()), "gone-"));
		shell.named(ID, "Fix the date parser", gone);
		const more = { PWD: gone, PATH: "/usr/bin:/bin", TMPDIR: tmpdir() };
		const { stdout, stderr } = bash(`rmdir "${gone}"; $P list; $P resume --continue`, more, gone);
		expect(stdout).toContain("Fix the date parser");
		expect(stderr).toBe("pi-sessions resume: pi is not installed, or its folder is not in the PATH.\n");
	});

	test("leaves Ctrl+C to pi and returns its exit code", async () => {
		shell.named(ID, "Fix the date parser");
		shell.program("pi", 'trap "exit 42" INT\necho up\nwhile :; do sleep 0.1; done');
		const PATH = `${join(folder(), "bin")}:${process.env["PATH"]}`;
		// The program is started in a new process group, because Ctrl+C in a terminal interrupts the whole
		// group.
		const options = { cwd: shell.cwd, env: env({ PATH }), detached: true };
		const child = spawn(process.execPath, [BIN, "resume", "Fix"], options);
		const exit = once(child, "exit");
		await once(child.stdout, "data");
		process.kill(-(child.pid ?? 0), "SIGINT");
		expect((await exit)[0]).toBe(42);
	});

	test("finds pi's folder by its variable, and ends quietly when its reader closes the pipe", () => {
		for (let count = 0; count < 300; count++) shell.named(`${count}`.padStart(8, "a"), "A title ".repeat(20));
		const read = bash(`$P list --json | head -n 1; echo "\${PIPESTATUS[0]}"`);
		expect(read).toMatchObject({ stdout: "{\n0\n", stderr: "" });
	});
});
