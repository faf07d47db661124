import { execFile, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import { put, useTemporaryFolder } from "../session-core/session-file/session.test-support.ts";
import { COMMANDS } from "./commands.ts";
import { named, Shell } from "./shell.test-support.ts";

const BIN = fileURLToPath(new URL("pi-sessions.mjs", import.meta.url));
const folder = useTemporaryFolder();
let shell: Shell;
beforeEach(() => {
	shell = new Shell(folder());
});

describe("what is typed wrong is told, with exit code 2 and what was meant", () => {
	test.each([
		[["lsit"], /no command lsit\. Did you mean list\?/],
		[["list", "--al"], /no option --al; did you mean --all\?/],
		[["list", "-x"], /no option -x/],
		[["list", "--all=yes"], /--all takes no value/],
		[["list", "--state", "asleep"], /--state is one of needs-you, failed/],
		[["list", "--state"], /--state needs a value/],
		[["list", "--state", "--all"], /--state needs a value/],
		[["list", "--limit", "x"], /--limit is a whole number/],
		[["list", "--limit", "1.5"], /--limit is a whole number/],
		[["list", "--limit", "-3"], /--limit is a whole number/],
		[["list", "foo"], /takes options only, not foo\. See pi-sessions list --help/],
		[["serve", "foo"], /takes options only/],
		[["show", "019"], /at least four characters/],
		[["show"], /which session/],
		[["show", "x", "--json", "--markdown"], /not both/],
		[["recap"], /which session/],
		[["attach"], /which session/],
		[["completion"], /bash, zsh or fish/],
		[["serve", "--port", "x"], /--port is a number/],
		[["serve", "--port", " "], /--port is a number/],
		[["serve", "--port", "0x50"], /--port is a number/],
		[["toString"], /no command toString/],
	])("%j", async (words, told) => {
		const { code, out, err } = await shell.run(words);
		expect({ code, out }).toEqual({ code: 2, out: "" });
		expect(err).toMatch(told);
	});

	test("a session that is not there, with those that are nearly called that", async () => {
		shell.session("one", named("11111111-aaaa", "Fix the date parser", shell.cwd));
		for (const words of [["show"], ["resume"], ["recap"], ["attach"]]) {
			const { code, err } = await shell.run([...words, "Fix", "the", "data", "parser"]);
			expect(code).toBe(2);
			expect(err).toMatch(
				/no session is called "Fix the data parser"[\s\S]*11111111-aaaa {2}Fix the date parser/,
			);
		}
	});

	test("one of several, with their ids", async () => {
		shell.session("one", named("11111111-aaaa", "Fix the parser", shell.cwd));
		shell.session("two", named("22222222-bbbb", "Fix the parser", shell.cwd));
		const { code, err } = await shell.run(["show", "fix", "the", "parser"]);
		expect(code).toBe(2);
		expect(err).toMatch(
			/2 sessions are called[\s\S]*11111111-aaaa[\s\S]*22222222-bbbb|2 sessions[\s\S]*2222[\s\S]*1111/,
		);
	});
});

test("every command explains itself", async () => {
	const overview = await shell.run(["--help"]);
	for (const name of Object.keys(COMMANDS)) {
		expect(overview.out).toContain(`  ${name} `);
		const { code, out } = await shell.run([name, "--help"]);
		expect(code).toBe(0);
		expect(out).toContain(`usage: pi-sessions ${name}`);
		expect(out).not.toContain("\x1b");
	}
	expect((await shell.run([])).code).toBe(2);
	expect((await shell.run(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each([20, 40, 80])("help fits into %i columns, no word torn that has room", async (columns) => {
	for (const words of [["--help"], ...Object.keys(COMMANDS).map((name) => [name, "--help"])]) {
		let out = "";
		await shell.run(words, { out: { write: (text) => (out += text), isTTY: true, columns } });
		for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
		if (columns >= 40) expect(out.replace(/\s+/g, " ")).toContain("usage: pi-sessions");
	}
	const asked = await shell.run(["help", "list"]);
	expect(asked).toEqual(await shell.run(["list", "--help"]));
});

describe("the program", () => {
	const env = () => ({ ...process.env, PI_CODING_AGENT_DIR: shell.agentDir });

	test("runs in a process of its own, and finds pi's folder by its variable", async () => {
		shell.session("one", named("11111111-aaaa", "Fix the date parser", shell.cwd));
		const { stdout } = await promisify(execFile)(process.execPath, [BIN, "list", "--json"], {
			env: env(),
			cwd: shell.cwd,
		});
		expect(JSON.parse(stdout).sessions).toHaveLength(1);
		const moved = { ...env(), PI_CODING_AGENT_SESSION_DIR: join(folder(), "none") };
		const none = spawnSync(process.execPath, [BIN, "show", "Fix"], {
			env: moved,
			cwd: shell.cwd,
			encoding: "utf8",
		});
		expect(none).toMatchObject({ status: 2, stdout: "" });
	});

	test("in a folder that is gone still has the sessions of its project", () => {
		const gone = mkdtempSync(join(realpathSync(folder()), "gone-"));
		shell.session("one", named("11111111-aaaa", "Fix the date parser", gone), gone);
		const line = `rmdir "${gone}"; "${process.execPath}" "${BIN}" list; "${process.execPath}" "${BIN}" resume --continue`;
		const more = { ...env(), PWD: gone, PATH: "/usr/bin:/bin" };
		const { stdout, stderr } = spawnSync("/bin/bash", ["-c", line], {
			env: more,
			cwd: gone,
			encoding: "utf8",
		});
		expect(stdout).toContain("Fix the date parser");
		expect(stderr).toBe("pi-sessions resume: pi is not found in PATH.\n");
	});

	test("leaves Ctrl+C to the pi that it runs, and passes on how that ended", async () => {
		shell.session("one", named("11111111-aaaa", "Fix the date parser", shell.cwd));
		const script = '#!/bin/sh\ntrap "exit 42" INT\necho up\nwhile :; do sleep 0.1; done\n';
		chmodSync(put(join(folder(), "bin", "pi"), script), 0o755);
		const PATH = `${join(folder(), "bin")}:${process.env["PATH"]}`;
		// A group of its own, as in a terminal: Ctrl+C goes to all of it.
		const child = spawn(process.execPath, [BIN, "resume", "Fix"], {
			cwd: shell.cwd,
			env: { ...env(), PATH },
			detached: true,
		});
		const exit = new Promise((resolve) => child.once("exit", resolve));
		await new Promise((resolve) => child.stdout.once("data", resolve));
		process.kill(-(child.pid ?? 0), "SIGINT");
		expect(await exit).toBe(42);
	});

	test("ends quietly when its reader has seen enough", () => {
		for (let count = 0; count < 300; count++)
			shell.session(`s${count}`, named(`${count}`.padStart(8, "a"), "A title ".repeat(20), shell.cwd));
		const line = `"${process.execPath}" "${BIN}" list --json | head -n 1; echo "\${PIPESTATUS[0]}"`;
		const { stdout, stderr } = spawnSync("bash", ["-c", line], {
			env: env(),
			cwd: shell.cwd,
			encoding: "utf8",
		});
		expect(stdout).toBe("{\n0\n");
		expect(stderr).toBe("");
	});
});
