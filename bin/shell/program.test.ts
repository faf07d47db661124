import { describe, expect, test } from "vitest";
import { type ProgramDeps, programFor } from "./program.ts";

const NPM = "C:\\Users\\ann\\AppData\\Roaming\\npm";
const CLI = `${NPM}\\node_modules\\@mariozechner\\pi-coding-agent\\dist\\cli.js`;
/** The end of what npm writes, of what older ones and pnpm write, and of what a person wrote. */
const SHIMS = {
	npm: `@ECHO off\r\nGOTO start\r\n:find_dp0\r\nSET dp0=%~dp0\r\nEXIT /b\r\n:start\r\nSETLOCAL\r\nCALL :find_dp0\r\n\r\nIF EXIST "%dp0%\\node.exe" (\r\n  SET "_prog=%dp0%\\node.exe"\r\n) ELSE (\r\n  SET "_prog=node"\r\n  SET PATHEXT=%PATHEXT:;.JS;=;%\r\n)\r\n\r\nendLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\@mariozechner\\pi-coding-agent\\dist\\cli.js" %*\r\n`,
	older: `@IF EXIST "%~dp0\\node.exe" (\r\n  "%~dp0\\node.exe"  "%~dp0\\node_modules\\@mariozechner\\pi-coding-agent\\dist\\cli.js" %*\r\n) ELSE (\r\n  node  "%~dp0\\node_modules\\@mariozechner\\pi-coding-agent\\dist\\cli.js" %*\r\n)\r\n`,
	pnpm: `@SETLOCAL\r\n@IF EXIST "%~dp0\\node.exe" (\r\n  "%~dp0\\node.exe"  "%~dp0\\global\\5\\pi\\dist\\cli.js" %*\r\n)\r\n`,
	own: "@echo off\r\nset PI_OFFLINE=1\r\ncall C:\\tools\\pi-real.cmd %*\r\n",
};

const NODE = "C:\\Program Files\\nodejs\\node.exe";

/** A Windows with these files. */
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
	test.each(["npm", "older"] as const)("the script of %s's batch file is run, without a shell", (shim) => {
		const files = { [`${NPM}\\pi.cmd`]: SHIMS[shim], [CLI]: "" };
		const own = { ok: true, file: NODE, args: [CLI, ...HARD], verbatim: false };
		expect(programFor("pi", HARD, windows(files))).toEqual(own);
		const beside = { ...files, [`${NPM}\\node.exe`]: "" };
		expect(programFor("pi", HARD, windows(beside))).toEqual({ ...own, file: `${NPM}\\node.exe` });
	});

	test("a script elsewhere below its folder is found, too", () => {
		const script = `${NPM}\\global\\5\\pi\\dist\\cli.js`;
		expect(programFor("pi", [], windows({ [`${NPM}\\pi.cmd`]: SHIMS.pnpm, [script]: "" }))).toMatchObject({
			file: NODE,
			args: [script],
		});
	});

	test.each([
		["one that a person wrote", SHIMS.own],
		["one whose script is gone", SHIMS.npm],
	])("a batch file is given to cmd.exe: %s", (_, shim) => {
		const files = { [`${NPM}\\pi.cmd`]: shim };
		expect(programFor("pi", ["--session", "a b"], windows(files, { COMSPEC: "C:\\cmd.exe" }))).toEqual({
			ok: true,
			file: "C:\\cmd.exe",
			args: ["/d", "/s", "/v:off", "/c", `"${NPM}\\pi.cmd ^^^"--session^^^" ^^^"a^^^ b^^^""`],
			verbatim: true,
		});
		expect(programFor("pi", HARD, windows(files))).toEqual({
			ok: false,
			reason: "not_passable",
			file: `${NPM}\\pi.cmd`,
		});
	});

	test("a program is started as such, and comes before a batch file of its folder", () => {
		const files = { [`${NPM}\\pi.cmd`]: SHIMS.npm, [`${NPM}\\pi.exe`]: "", [CLI]: "" };
		expect(programFor("pi", HARD, windows(files))).toEqual({
			ok: true,
			file: `${NPM}\\pi.exe`,
			args: HARD,
			verbatim: false,
		});
		const first = windows(files, { PATHEXT: ".CMD;.EXE" });
		expect(programFor("pi", [], first)).toMatchObject({ args: [CLI] });
	});

	test("none is taken from the folder that one stands in, nor what needs another program", () => {
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

test.each(["linux", "darwin"] as const)("elsewhere (%s) the system finds it", (platform) => {
	expect(programFor("pi", HARD, { ...windows({}), platform })).toEqual({
		ok: true,
		file: "pi",
		args: HARD,
		verbatim: false,
	});
});
