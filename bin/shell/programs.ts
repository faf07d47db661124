import { type ChildProcess, execFile, type SpawnOptions, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { promisify } from "node:util";
import { EVERY_HOST_OPENS, tooLargeText } from "../../session-core/log/index.ts";
import type { ResumePlan } from "../../session-core/sessions/index.ts";
import { errorCode, isFolder, makeFolder } from "../../session-core/text/files/index.ts";
import { cleanLine } from "../../session-core/text/index.ts";
import { hostIn, withHome } from "../place.mjs";

type Environment = Readonly<Record<string, string | undefined>>;

/** The result of starting a program. `isMissing` is true if the program is not installed. */
type StartOutcome = { ok: true; child: ChildProcess } | { ok: false; isMissing: boolean; detail: string };

/** Starts a program from the `PATH` without a shell. Resolves when the program is running. */
export async function startProgram(
	[program = "", ...args]: readonly string[],
	options: SpawnOptions & { env: NodeJS.ProcessEnv },
): Promise<StartOutcome> {
	const failed = (detail: string, isMissing = false) => ({ ok: false, isMissing, detail }) as const;
	const startable = startableHere(program);
	if (!startable) return failed(missingText(program), true);
	const [file, ...first] = startable.words;
	if (file === undefined)
		return failed(
			`${program} is a batch file (${cleanLine(startable.path)}) that pi-sessions cannot start. Install ${program} with npm, pnpm or yarn.`,
		);
	try {
		const child = spawn(file, [...first, ...args], options);
		await once(child, "spawn");
		return { ok: true, child };
	} catch (error) {
		const code = errorCode(error);
		if (code === "ENOENT") return failed(missingText(program), true);
		if (code !== "E2BIG" && code !== "ENAMETOOLONG")
			return failed(`${program} could not be started (${code}).`);
		return failed(
			"this prompt is too long for a command line. Leave out --send and --message to open the session without sending anything.",
		);
	}
}

function missingText(program: string): string {
	return `${program} is not installed, or its folder is not in the PATH.`;
}

const run = promisify(execFile);

/** Returns why pi cannot open a session file of `size` bytes. pi is started only if the answer depends on its version. */
export async function whyTooLarge(size: number, env: Environment): Promise<string | undefined> {
	if (size <= EVERY_HOST_OPENS) return undefined;
	const [file, ...args] = startableHere(hostIn(env).program)?.words ?? [];
	if (file === undefined) return undefined;
	const asked = run(file, [...args, "--version"], { env, timeout: 10_000 });
	// A pi that does not print its version reports the problem itself when it opens the session.
	const version = await asked.then(({ stdout }) => cleanLine(stdout)).catch(() => "");
	return tooLargeText(size, version);
}

/** The result of opening a session or starting a job. `log` is the path of the file that receives a job's output. */
export type OpenOutcome =
	| { ok: true; log?: string }
	| { ok: false; reason: "no_tmux" | "no_folder" | "failed"; detail: string };

function notOpened(reason: "no_tmux" | "no_folder" | "failed", detail: string): OpenOutcome {
	return { ok: false, reason, detail };
}

/** Starts a headless run, which continues after the server has ended. The run has no terminal, so its output is written to a log file. */
export async function startJob(plan: ResumePlan, agentDir: string, env: Environment): Promise<OpenOutcome> {
	if (!isFolder(plan.cwd)) return notOpened("no_folder", "The job's folder no longer exists.");
	const folder = join(agentDir, "session-suite", "jobs");
	const time = new Date().toISOString().replaceAll(":", "-");
	const log = join(folder, `${time}-${randomUUID().slice(0, 8)}.log`);
	let output: number;
	try {
		makeFolder(folder);
		output = openSync(log, "wx", 0o600);
	} catch (error) {
		return notOpened("failed", `The folder ${folder} cannot be written (${errorCode(error)}).`);
	}
	const started = await startProgram(plan.command, {
		cwd: plan.cwd,
		env: { ...env, ...plan.env },
		detached: true,
		stdio: ["ignore", output, output],
	});
	closeSync(output);
	if (started.ok) {
		started.child.unref();
		return { ok: true, log };
	}
	rmSync(log, { force: true });
	return notOpened("failed", `pi could not be started: ${started.detail}`);
}

/** A shell script that changes to a folder and runs a command. Both are arguments, so no session text becomes part of the script. */
const IN_FOLDER = 'cd -- "$1" || exit; shift; exec "$@"';

/**
 * Runs a command in a new window of the current tmux session. The window has the environment in which the tmux server was started, so pi's
 * variables are passed with the command. `isBehind`: whether the current window stays in front.
 */
export async function openWindow(
	command: readonly string[],
	cwd: string,
	{ env, agentDir, isBehind = false }: { env: Environment; agentDir: string; isBehind?: boolean },
): Promise<OpenOutcome> {
	if (!env["TMUX"]) return notOpened("no_tmux", "The server is not running inside tmux.");
	if (!isFolder(cwd)) return notOpened("no_folder", "The session's folder no longer exists.");
	// Session text is never used as a window's name or folder, because tmux expands formats there and would run `#(…)`. tmux does not
	// expand formats in the command's words, but a semicolon at the end of a word would begin another tmux command, so it is escaped.
	const words = ["sh", "-c", IN_FOLDER, "sh", cwd, "env", ...piVariables(env, agentDir), ...command];
	const escaped = words.map((word) => word.replace(/;$/, "\\;"));
	const args = ["new-window", ...(isBehind ? ["-d"] : []), "--", ...escaped];
	try {
		await run("tmux", args, { env, timeout: 5_000 });
		return { ok: true };
	} catch (error) {
		const { stderr, message } = error as { stderr?: string; message: string };
		return notOpened("failed", (stderr || message).trim().slice(0, 200));
	}
}

/** Matches variables that describe the pi process whose agent runs this program. Another pi must not inherit these variables. */
const OF_A_SESSION = /^PI_(?:SESSION_(?:ID|FILE)|SESSION_SUITE_RESUME\w*|CODING_AGENT)$/;

/** Returns the variables for pi and the suite. Folders are absolute paths, because the window has a different current folder. */
function piVariables(env: Environment, agentDir: string): string[] {
	const { prefix } = hostIn(env);
	const isOurs = (name: string) => name.startsWith("PI_") || name.startsWith(`${prefix}_CODING_AGENT_`);
	return Object.entries({ ...env, [`${prefix}_CODING_AGENT_DIR`]: agentDir }).flatMap(([name, value]) => {
		if (!isOurs(name) || value === undefined || OF_A_SESSION.test(name)) return [];
		return [`${name}=${name.endsWith("_DIR") ? resolve(withHome(value)) : value}`];
	});
}

/** Matches the last line of a batch file created by npm, pnpm or yarn: `… "%dp0%\node_modules\…\cli.js" %*`. */
const SHIM = /"%(?:~dp0|dp0%)\\?([^"%\r\n]+\.[cm]?js)"[ \t]+%\*/;

/** A program that was found, and the words that start it. `words` is empty if the program is a batch file of an unknown kind. */
type Startable = { path: string; words: string[] };

function startableHere(name: string): Startable | undefined {
	const path = process.env["PATH"] ?? "";
	return process.platform === "win32" ? startableInWindows(name, path) : { path: name, words: [name] };
}

/**
 * Finds a program in the `PATH` on Windows. npm, pnpm and yarn install programs as batch files, which `spawn` refuses to run
 * (CVE-2024-27980). The script that such a file names is started instead, so no shell interprets the arguments. The current folder is never
 * searched, because a repository could contain its own `pi.cmd`.
 */
export function startableInWindows(name: string, path: string): Startable | undefined {
	for (const folder of path.split(delimiter).filter((one) => isAbsolute(one))) {
		const program = join(folder, `${name}.exe`);
		if (existsSync(program)) return { path: program, words: [program] };
		const batch = join(folder, `${name}.cmd`);
		if (!existsSync(batch)) continue;
		const [, script] = SHIM.exec(readFileSync(batch, "utf8")) ?? [];
		const file = script === undefined ? "" : resolve(folder, script.replaceAll("\\", "/"));
		return { path: batch, words: existsSync(file) ? [process.execPath, file] : [] };
	}
	return undefined;
}
