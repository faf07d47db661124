import { execFile, spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { constants, homedir } from "node:os";
import { win32 } from "node:path";
import { EVERY_HOST_OPENS, tooLargeText } from "../../session-core/host/session-size.ts";
import { errorCode, isFolder } from "../../session-core/regular-file.ts";
import type { ResumePlan } from "../../session-core/resume-plan/plan.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import type { World } from "../shell/world.ts";

const notFound = (program: string) => `${program} is not in the PATH.`;
const TOO_LONG =
	"this prompt is too long for a command line. Without --send or --message, pi opens and sends nothing.";

/**
 * Runs the program of a plan in this terminal and in the folder of the session; resolves to its exit code. `remedy`: what the user can do if
 * the program is not installed.
 */
export async function runPi(
	plan: Pick<ResumePlan, "kind" | "command" | "cwd" | "env">,
	world: World,
	remedy = "",
): Promise<number> {
	const [program = "pi", ...args] = plan.command;
	const env = { ...world.env, ...plan.env };
	const startable = programFor(program, args, machineFor(env));
	if (!startable.ok)
		return world.fail(
			startable.reason === "missing" ? notFound(program) + remedy : batchFile(program, startable.file),
		);
	// pi owns the terminal, so Ctrl+C is meant for pi and not for this program.
	const ignore = () => undefined;
	process.on("SIGINT", ignore);
	try {
		// If the session's folder no longer exists, pi is started in another folder and asks where to continue.
		const cwd = [plan.cwd, world.cwd].find(isFolder) ?? homedir();
		// A job already has its prompt, so it must not wait until piped input ends.
		const stdin = plan.kind === "job" ? "ignore" : "inherit";
		const child = spawn(startable.file, startable.args, {
			cwd,
			env,
			stdio: [stdin, "inherit", "inherit"],
		});
		return await new Promise<number>((resolve, reject) => {
			child.once("error", reject);
			child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
		});
	} catch (error) {
		const code = errorCode(error);
		return world.fail(code === "ENOENT" ? notFound(program) + remedy : whyNot(code, program));
	} finally {
		process.off("SIGINT", ignore);
	}
}

/** Returns why pi cannot open a session file of `size` bytes. pi is asked for its version only if the answer depends on it. */
export async function whyTooLarge(size: number, env: ProgramDeps["env"]): Promise<string | undefined> {
	if (size <= EVERY_HOST_OPENS) return undefined;
	const startable = programFor("pi", ["--version"], machineFor(env));
	if (!startable.ok) return undefined;
	const { file, args } = startable;
	const version = await new Promise<string>((resolve) => {
		const options = { env, timeout: 10_000 };
		// Without an answer, the user learns from pi itself whether it can open the session.
		execFile(file, args, options, (error, stdout) => resolve(error ? "" : cleanLine(stdout)));
	});
	return tooLargeText(size, version);
}

function whyNot(code: string | undefined, program: string): string {
	return code === "E2BIG" || code === "ENAMETOOLONG"
		? TOO_LONG
		: `${program} could not be started (${code}).`;
}

/** `file` is a batch file that names no script. */
function batchFile(program: string, file: string): string {
	return `${program} is a batch file (${cleanLine(file)}) that pi-sessions cannot start. Install ${program} with npm, pnpm or yarn.`;
}

/**
 * How to start a program, or why it cannot be started. `missing`: it is not in the PATH. `batch_file`: it is a batch file that does not
 * name a script.
 */
export type ProgramOutcome =
	| { ok: true; file: string; args: string[] }
	| { ok: false; reason: "missing" }
	| { ok: false; reason: "batch_file"; file: string };

export interface ProgramDeps {
	platform: NodeJS.Platform;
	env: Readonly<Record<string, string | undefined>>;
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
		// The batch file cannot be read, so it cannot be started.
		return undefined;
	}
}
