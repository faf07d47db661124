import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { useTemporaryFolder } from "../../session-core/session-file/session.test-support.ts";
import { until } from "../../test/host/until.ts";
import { openWindow, type ProgramDeps, programFor, windowArguments } from "./programs.ts";

const NPM = "C:\\Users\\ann\\AppData\\Roaming\\npm";
const CLI = `${NPM}\\node_modules\\@mariozechner\\pi-coding-agent\\dist\\cli.js`;
/** Batch files of npm, of an older npm, of pnpm, and of a user. */
const SHIMS = {
	npm: `@ECHO off\r\nGOTO start\r\n:find_dp0\r\nSET dp0=%~dp0\r\nEXIT /b\r\n:start\r\nSETLOCAL\r\nCALL :find_dp0\r\n\r\nIF EXIST "%dp0%\\node.exe" (\r\n  SET "_prog=%dp0%\\node.exe"\r\n) ELSE (\r\n  SET "_prog=node"\r\n  SET PATHEXT=%PATHEXT:;.JS;=;%\r\n)\r\n\r\nendLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\@mariozechner\\pi-coding-agent\\dist\\cli.js" %*\r\n`,
	older: `@IF EXIST "%~dp0\\node.exe" (\r\n  "%~dp0\\node.exe"  "%~dp0\\node_modules\\@mariozechner\\pi-coding-agent\\dist\\cli.js" %*\r\n) ELSE (\r\n  node  "%~dp0\\node_modules\\@mariozechner\\pi-coding-agent\\dist\\cli.js" %*\r\n)\r\n`,
	pnpm: `@SETLOCAL\r\n@IF EXIST "%~dp0\\node.exe" (\r\n  "%~dp0\\node.exe"  "%~dp0\\global\\5\\pi\\dist\\cli.js" %*\r\n)\r\n`,
	own: "@echo off\r\nset PI_OFFLINE=1\r\ncall C:\\tools\\pi-real.cmd %*\r\n",
};

const NODE = "C:\\Program Files\\nodejs\\node.exe";

/** Windows with these files. */
function windows(files: Readonly<Record<string, string>>, env: ProgramDeps["env"] = {}): ProgramDeps {
	return {
		platform: "win32",
		env: { Path: `C:\\Windows;;.;"C:\\Program Files\\nodejs";${NPM}`, ...env },
		execPath: NODE,
		isFile: (path) => Object.hasOwn(files, path),
		read: (path) => files[path],
	};
}

const HARD = ['say "a & b"', "%PATH%", "two\nlines"];

describe("on Windows", () => {
	test.each(["npm", "older"] as const)(
		"the script that a batch file of %s names is run without a shell",
		(shim) => {
			const files = { [`${NPM}\\pi.cmd`]: SHIMS[shim], [CLI]: "" };
			const own = { ok: true, file: NODE, args: [CLI, ...HARD] };
			expect(programFor("pi", HARD, windows(files))).toEqual(own);
			const beside = { ...files, [`${NPM}\\node.exe`]: "" };
			expect(programFor("pi", HARD, windows(beside))).toEqual({ ...own, file: `${NPM}\\node.exe` });
		},
	);

	test("a script elsewhere below the folder is found", () => {
		const script = `${NPM}\\global\\5\\pi\\dist\\cli.js`;
		expect(programFor("pi", [], windows({ [`${NPM}\\pi.cmd`]: SHIMS.pnpm, [script]: "" }))).toMatchObject({
			file: NODE,
			args: [script],
		});
	});

	test.each([
		["of a user", SHIMS.own],
		["whose script does not exist", SHIMS.npm],
	])("a batch file %s is refused, because a shell would interpret the arguments", (_, shim) => {
		const file = `${NPM}\\pi.cmd`;
		expect(programFor("pi", HARD, windows({ [file]: shim }))).toEqual({
			ok: false,
			reason: "batch_file",
			file,
		});
	});

	test("a program is started directly, and comes before a batch file in its folder", () => {
		const files = { [`${NPM}\\pi.cmd`]: SHIMS.npm, [`${NPM}\\pi.exe`]: "", [CLI]: "" };
		expect(programFor("pi", HARD, windows(files))).toEqual({
			ok: true,
			file: `${NPM}\\pi.exe`,
			args: HARD,
		});
		const first = windows(files, { PATHEXT: ".CMD;.EXE" });
		expect(programFor("pi", [], first)).toMatchObject({ args: [CLI] });
	});

	test("nothing is taken from the current folder, and nothing that needs another program", () => {
		const files = {
			"pi.cmd": "",
			".\\pi.cmd": "",
			[`${NPM}\\pi`]: "",
			[`${NPM}\\pi.ps1`]: "",
			[`${NPM}\\pi.js`]: "",
		};
		const env = { PATHEXT: ".JS;.PS1;.CMD" };
		expect(programFor("pi", [], windows(files, env))).toEqual({ ok: false, reason: "missing" });
		expect(programFor("pi", [], { ...windows({}), env: {} })).toEqual({ ok: false, reason: "missing" });
	});
});

test.each(["linux", "darwin"] as const)("on %s the system finds it", (platform) => {
	expect(programFor("pi", HARD, { ...windows({}), platform })).toEqual({
		ok: true,
		file: "pi",
		args: HARD,
	});
});

const folder = useTemporaryFolder();
const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

let endServer: (() => void) | undefined;

// Runs before the folder with the socket is removed, because hooks run in reverse order.
afterEach(() => {
	endServer?.();
	endServer = undefined;
});

describe("a window of tmux", () => {
	test("is not opened outside tmux or in a folder that does not exist", async () => {
		expect(await openWindow(["pi"], "/", { env: {} })).toMatchObject({ reason: "no_tmux" });
		const env = { TMUX: "/tmp/x,1,0" };
		expect(await openWindow(["pi"], "/nowhere/at/all", { env })).toMatchObject({ reason: "no_folder" });
	});

	test("passes no text of a session where tmux expands options or formats", () => {
		const args = windowArguments(["pi", "--session", "/a/#(touch x)_;"], "/b/#{pane_id};");
		expect(args.slice(0, 6)).toEqual(["new-window", "--", "sh", "-c", args[4], "sh"]);
		expect(args[4]).not.toContain("/b/");
		expect(args.slice(6)).toEqual(["/b/#{pane_id}\\;", "pi", "--session", "/a/#(touch x)_\\;"]);
	});

	test.skipIf(!hasTmux)("runs exactly the words of the command in the session's folder", async () => {
		const socket = join(folder(), "tmux.sock");
		const tmux = (...args: string[]) =>
			execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args]).toString();
		const cwd = join(folder(), "it's #(touch owned) $(touch owned) ;");
		mkdirSync(cwd);
		tmux("new-session", "-d", "-x", "80", "-y", "24", "sh");
		endServer = () => void tmux("kill-server");
		const env = { ...process.env, TMUX: tmux("display-message", "-p", "#{socket_path},#{pid},0").trim() };
		const words = ["#(touch owned)", "$(touch owned)", "a b;", "'", '"', "`touch owned`", "#{pane_id}", ";"];
		const out = join(folder(), "out");
		const command = [
			"sh",
			"-c",
			'pwd > "$0"; for word do printf "%s\\n" "$word"; done >> "$0"; mv "$0" "$0.done"',
			out,
		];
		expect(await openWindow([...command, ...words], cwd, { env })).toEqual({ ok: true });
		await until(() => existsSync(`${out}.done`), { what: "the command in the window" });
		expect(readFileSync(`${out}.done`, "utf8").trimEnd().split("\n")).toEqual([cwd, ...words]);
		expect([existsSync(join(cwd, "owned")), existsSync(join(folder(), "owned"))]).toEqual([false, false]);
	});
});
