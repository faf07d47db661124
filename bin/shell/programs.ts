import { type ChildProcess, execFile, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { win32 } from "node:path";
import { errorCode, isFolder } from "../../session-core/regular-file.ts";
import { EVERY_HOST_OPENS, tooLargeText } from "../../session-core/session-file/check-session.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** `isMissing`: the program is not installed. */
type StartOutcome = { ok: true; child: ChildProcess } | { ok: false; isMissing: boolean; detail: string };

/** Starts a program of the PATH without a shell. Resolves when it is running. */
export async function startProgram(
	[program = "", ...args]: readonly string[],
	options: SpawnOptions & { env: NodeJS.ProcessEnv },
): Promise<StartOutcome> {
	const missing = { ok: false, isMissing: true, detail: `${program} is not in the PATH.` } as const;
	const startable = programFor(program, args, machineFor(options.env));
	if (!startable.ok && startable.reason === "missing") return missing;
	if (!startable.ok) {
		const detail = `${program} is a batch file (${cleanLine(startable.file)}) that pi-sessions cannot start. Install ${program} with npm, pnpm or yarn.`;
		return { ok: false, isMissing: false, detail };
	}
	try {
		const child = spawn(startable.file, startable.args, options);
		await once(child, "spawn");
		return { ok: true, child };
	} catch (error) {
		const code = errorCode(error);
		if (code === "ENOENT") return missing;
		const isTooLong = code === "E2BIG" || code === "ENAMETOOLONG";
		const tooLong =
			"this prompt is too long for a command line. Without --send or --message, pi opens and sends nothing.";
		const detail = isTooLong ? tooLong : `${program} could not be started (${code}).`;
		return { ok: false, isMissing: false, detail };
	}
}

/** Runs a program; resolves to its exit code and its output. The code is not 0 if the program cannot be started. */
export function outputOf(
	file: string,
	args: readonly string[],
	{ env, timeout = 5_000 }: { env: Environment; timeout?: number },
): Promise<{ code: number; stdout: string; stderr: string }> {
	return new Promise((resolve) => {
		execFile(file, [...args], { env, timeout }, (error, stdout, stderr) => {
			const failure = typeof error?.code === "number" ? error.code : 1;
			resolve({ code: error ? failure : 0, stdout, stderr: stderr || (error?.message ?? "") });
		});
	});
}

/** Returns why pi cannot open a session file of `size` bytes. pi is asked for its version only if the answer depends on it. */
export async function whyTooLarge(size: number, env: Environment): Promise<string | undefined> {
	if (size <= EVERY_HOST_OPENS) return undefined;
	const startable = programFor("pi", ["--version"], machineFor(env));
	if (!startable.ok) return undefined;
	const { code, stdout } = await outputOf(startable.file, startable.args, { env, timeout: 10_000 });
	// Without an answer, the user learns from pi itself whether it can open the session.
	return tooLargeText(size, code === 0 ? cleanLine(stdout) : "");
}

/** Whether a session or a job was started. `log`: the file that receives the output of a job. */
export type OpenOutcome =
	| { ok: true; log?: string }
	| { ok: false; reason: "no_tmux" | "no_folder" | "failed"; detail: string };

/** Changes to the folder and runs the command. Both are passed as arguments, so no text becomes part of the script. */
const IN_FOLDER = 'cd -- "$1" || exit; shift; exec "$@"';

/**
 * Runs a command in a new window of the tmux session in which this process runs. `isBehind`: whether the window in front stays in front.
 */
export async function openWindow(
	command: readonly string[],
	cwd: string,
	{ env, isBehind = false }: { env: Environment; isBehind?: boolean },
): Promise<OpenOutcome> {
	if (!env["TMUX"]) return { ok: false, reason: "no_tmux", detail: "The server is not running inside tmux." };
	if (!isFolder(cwd))
		return { ok: false, reason: "no_folder", detail: "The session's folder does not exist." };
	const { code, stderr } = await outputOf("tmux", windowArguments(command, cwd, isBehind), { env });
	return code === 0 ? { ok: true } : { ok: false, reason: "failed", detail: stderr.trim().slice(0, 200) };
}

/**
 * Returns the arguments for tmux. Session text is never used as a window's name or folder, because tmux expands formats there and would run
 * `#(…)`. In the words of the command, formats are not expanded, but a semicolon at the end of a word would begin another tmux command, so
 * it is escaped.
 */
export function windowArguments(command: readonly string[], cwd: string, isBehind = false): string[] {
	const words = ["sh", "-c", IN_FOLDER, "sh", cwd, ...command];
	return ["new-window", ...(isBehind ? ["-d"] : []), "--", ...words.map((word) => word.replace(/;$/, "\\;"))];
}

/**
 * How to start a program, or why it cannot be started. `missing`: it is not in the PATH. `batch_file`: it is a batch file that does not
 * name a script.
 */
type ProgramOutcome =
	| { ok: true; file: string; args: string[] }
	| { ok: false; reason: "missing" }
	| { ok: false; reason: "batch_file"; file: string };

export interface ProgramDeps {
	platform: NodeJS.Platform;
	env: Environment;
	/** The path of the Node.js executable that runs this process. */
	execPath: string;
	isFile(path: string): boolean;
	/** Returns a file's text, or undefined if it cannot be read. */
	read(path: string): string | undefined;
}

/**
 * Determines how to start a program on the PATH. On Windows, npm installs programs as batch files. `spawn` does not find a batch file by
 * its bare name, and refuses to run it by its full name (CVE-2024-27980). If the batch file names a script, that script is started instead,
 * so no shell interprets the arguments. Any other batch file is refused.
 */
export function programFor(name: string, args: readonly string[], deps: ProgramDeps): ProgramOutcome {
	if (deps.platform !== "win32") return { ok: true, file: name, args: [...args] };
	const file = inPath(name, deps);
	if (file === undefined) return { ok: false, reason: "missing" };
	if (!/\.(?:cmd|bat)$/i.test(file)) return { ok: true, file, args: [...args] };
	const script = scriptOf(file, deps);
	if (script === undefined) return { ok: false, reason: "batch_file", file };
	const node = win32.join(win32.dirname(file), "node.exe");
	return { ok: true, file: deps.isFile(node) ? node : deps.execPath, args: [script, ...args] };
}

/**
 * Finds a program in the PATH. Unlike the command processor, this function never searches the current folder, because a repository could contain its own
 * `pi.cmd`.
 */
function inPath(name: string, { env, isFile }: ProgramDeps): string | undefined {
	const folders = (variable(env, "PATH") ?? "").split(";").map((folder) => folder.replace(/^"(.*)"$/, "$1"));
	const endings = (variable(env, "PATHEXT") || ".COM;.EXE;.BAT;.CMD").split(";").filter(isStartable);
	return folders
		.filter((folder) => win32.isAbsolute(folder))
		.flatMap((folder) => endings.map((ending) => win32.join(folder, name + ending.toLowerCase())))
		.find(isFile);
}

/** `spawn` cannot start files that Windows opens with another program, such as `.JS` and `.PY`. */
function isStartable(ending: string): boolean {
	return /^\.(?:com|exe|bat|cmd)$/i.test(ending);
}

/** Returns an environment variable regardless of letter case. On Windows, `process.env` ignores letter case, but a copy of it does not. */
function variable(env: ProgramDeps["env"], name: string): string | undefined {
	const found = Object.keys(env).find((key) => key.toLowerCase() === name.toLowerCase());
	return found === undefined ? undefined : env[found];
}

/** Matches the last line of a batch file created by npm, pnpm or yarn: `… "%dp0%\node_modules\…\cli.js" %*`. */
const SHIM = /"%(?:~dp0|dp0%)\\?([^"%\r\n]+\.[cm]?js)"[ \t]+%\*/;

function scriptOf(file: string, { read, isFile }: ProgramDeps): string | undefined {
	const [, script] = SHIM.exec(read(file) ?? "") ?? [];
	if (script === undefined) return undefined;
	const path = win32.resolve(win32.dirname(file), script);
	return isFile(path) ? path : undefined;
}

/** `programFor` on this machine. */
function machineFor(env: ProgramDeps["env"]): ProgramDeps {
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
		// The batch file cannot be read, so it cannot be started.
		return undefined;
	}
}
