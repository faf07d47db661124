import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { constants, homedir } from "node:os";
import { win32 } from "node:path";
import { errorCode, isFolder } from "../../session-core/regular-file.ts";
import type { ResumePlan } from "../../session-core/resume-plan/plan.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { FAILED, type World } from "../shell/world.ts";

const NOT_FOUND = "pi is not found in PATH.";
const TOO_LONG =
	"this prompt is too long for a command line. Without --send or --message, pi opens without sending anything.";

/** Runs pi with this terminal, in the session's own folder; gives its exit code. */
export async function runPi(plan: ResumePlan, world: World, say: (text: string) => void): Promise<number> {
	const [program = "pi", ...args] = plan.command;
	const isThere = isFolder(plan.cwd);
	if (!isThere && plan.kind === "job") {
		say(`its folder is gone: ${cleanLine(plan.cwd)}. A job runs only where it ran before.`);
		return FAILED;
	}
	const env = { ...world.env, ...plan.env };
	const startable = programFor(program, args, machineFor(env));
	if (!startable.ok) {
		say(startable.reason === "missing" ? NOT_FOUND : notPassable(startable.file));
		return FAILED;
	}
	// Ctrl+C is for pi, which has the terminal.
	const ignore = () => undefined;
	process.on("SIGINT", ignore);
	try {
		// In a folder that is gone pi itself asks where to go on.
		const cwd = [plan.cwd, world.cwd].find(isFolder) ?? homedir();
		// A job has its prompt, and would wait for the end of what is piped in.
		const stdin = plan.kind === "job" ? "ignore" : "inherit";
		const child = spawn(startable.file, startable.args, {
			cwd,
			env,
			stdio: [stdin, "inherit", "inherit"],
			windowsVerbatimArguments: startable.verbatim,
		});
		return await new Promise<number>((resolve, reject) => {
			child.once("error", reject);
			child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
		});
	} catch (error) {
		say(whyNot(errorCode(error)));
		return FAILED;
	} finally {
		process.off("SIGINT", ignore);
	}
}

function whyNot(code: string | undefined): string {
	if (code === "ENOENT") return NOT_FOUND;
	return code === "E2BIG" || code === "ENAMETOOLONG" ? TOO_LONG : `pi cannot be started (${code}).`;
}

function notPassable(file: string): string {
	return `pi is a batch file here (${cleanLine(file)}), which cannot take a prompt with line breaks or of more than 8,000 characters.`;
}

/** Arguments of `spawn`. `verbatim`: its `windowsVerbatimArguments`. */
export interface Startable {
	file: string;
	args: string[];
	verbatim: boolean;
}

/** `missing`: it is not in the PATH. `not_passable`: the batch file `file` cannot take these arguments. */
export type ProgramOutcome =
	| ({ ok: true } & Startable)
	| { ok: false; reason: "missing" }
	| { ok: false; reason: "not_passable"; file: string };

export interface ProgramDeps {
	platform: NodeJS.Platform;
	env: Readonly<Record<string, string | undefined>>;
	/** The Node.js that this runs in. */
	execPath: string;
	isFile(path: string): boolean;
	/** Undefined where it cannot be read. */
	read(path: string): string | undefined;
}

/**
 * How a program of the PATH is started with these arguments. On Windows npm puts a batch file there: `spawn` does not find it by
 * its bare name, and since CVE-2024-27980 refuses it by its full one. The script that it would run is run instead, without a
 * shell that could read something else into the arguments; a batch file of another making goes to cmd.exe.
 */
export function programFor(name: string, args: readonly string[], deps: ProgramDeps): ProgramOutcome {
	if (deps.platform !== "win32") return started(name, [...args]);
	const file = inPath(name, deps);
	if (file === undefined) return { ok: false, reason: "missing" };
	if (!/\.(?:cmd|bat)$/i.test(file)) return started(file, [...args]);
	const script = scriptOf(file, deps);
	if (script !== undefined) {
		const node = win32.join(win32.dirname(file), "node.exe");
		return started(deps.isFile(node) ? node : deps.execPath, [script, ...args]);
	}
	const line = cmdLine(file, args);
	if (line === undefined) return { ok: false, reason: "not_passable", file };
	const shell = variable(deps.env, "ComSpec") || "cmd.exe";
	return { ok: true, file: shell, args: ["/d", "/s", "/v:off", "/c", `"${line}"`], verbatim: true };
}

function started(file: string, args: string[]): ProgramOutcome {
	return { ok: true, file, args, verbatim: false };
}

/** Not in the current folder, where cmd.exe looks first: a repository must not bring its own. */
function inPath(name: string, { env, isFile }: ProgramDeps): string | undefined {
	const folders = (variable(env, "PATH") ?? "").split(";").map((folder) => folder.replace(/^"(.*)"$/, "$1"));
	const endings = (variable(env, "PATHEXT") || ".COM;.EXE;.BAT;.CMD").split(";").filter(isStartable);
	return folders
		.filter((folder) => win32.isAbsolute(folder))
		.flatMap((folder) => endings.map((ending) => win32.join(folder, name + ending.toLowerCase())))
		.find(isFile);
}

/** What Windows would give to another program (`.JS`, `.PY`) cannot be spawned. */
function isStartable(ending: string): boolean {
	return /^\.(?:com|exe|bat|cmd)$/i.test(ending);
}

/** In a copy of the environment, names of variables have the letter case that Windows gave them. */
function variable(env: ProgramDeps["env"], name: string): string | undefined {
	const found = Object.keys(env).find((key) => key.toLowerCase() === name.toLowerCase());
	return found === undefined ? undefined : env[found];
}

/** The last line of a batch file that npm, pnpm or yarn made: `… "%dp0%\node_modules\…\cli.js" %*`. */
const SHIM = /"%(?:~dp0|dp0%)\\?([^"%\r\n]+\.[cm]?js)"[ \t]+%\*/;

function scriptOf(file: string, { read, isFile }: ProgramDeps): string | undefined {
	const [, script] = SHIM.exec(read(file) ?? "") ?? [];
	if (script === undefined) return undefined;
	const path = win32.resolve(win32.dirname(file), script);
	return isFile(path) ? path : undefined;
}

/** This machine, for `programFor`. */
export function machineFor(env: ProgramDeps["env"]): ProgramDeps {
	return {
		platform: process.platform,
		env,
		execPath: process.execPath,
		isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false,
		read: textOf,
	};
}

function textOf(path: string): string | undefined {
	try {
		return readFileSync(path, "utf8");
	} catch {
		// Not ours to read: then it is started as it is.
		return undefined;
	}
}

/** Characters that cmd.exe acts on, the quotation mark included: with all of them escaped, it sees no quotes at all. */
const SPECIAL = /[()[\]%!^"`<>&|;, *?]/g;

/** What cmd.exe takes. */
const MAX_LINE = 8_191;

/**
 * The line behind `cmd.exe /d /s /v:off /c` that runs a batch file with these very arguments; undefined where that cannot be: a
 * line break ends the line, and NUL and too long a line are refused.
 *
 * Each argument is quoted as the program's C runtime reads it, and then escaped twice: cmd.exe reads this line, and then the one in
 * the batch file that has the arguments in place of `%*`.
 */
export function cmdLine(file: string, args: readonly string[]): string | undefined {
	if ([file, ...args].some((word) => /[\r\n\0]/.test(word))) return undefined;
	const line = [escaped(file), ...args.map((word) => escaped(escaped(quoted(word))))].join(" ");
	return line.length > MAX_LINE ? undefined : line;
}

/** As `CommandLineToArgvW` undoes it: backslashes count double in front of a quotation mark only. */
function quoted(word: string): string {
	return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}

function escaped(text: string): string {
	return text.replace(SPECIAL, "^$&");
}
