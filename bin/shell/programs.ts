import { type ChildProcess, execFile, type SpawnOptions, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import { constants, homedir } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { errorCode, isFolder, makeFolder } from "../../session-core/text/files/index.ts";
import { hostIn, withHome } from "../place.mjs";

type Environment = Readonly<Record<string, string | undefined>>;
type NotStarted = { ok: false; reason: "missing" | "failed"; detail: string };

/**
 * Starts a program without a shell, so that the shell cannot interpret the arguments. Resolves as soon
 * as the program is running.
 */
async function startProgram(
	[program = "", ...args]: readonly string[],
	options: SpawnOptions & { env: NodeJS.ProcessEnv },
): Promise<{ ok: true; child: ChildProcess } | NotStarted> {
	const failed = (detail: string) => ({ ok: false, reason: "failed", detail }) as const;
	const detail = `${program} is not installed, or its folder is not in the PATH.`;
	const missing = { ok: false, reason: "missing", detail } as const;
	const startable = startableHere(program);
	if (!startable) return missing;
	const [file, ...first] = startable.words;
	if (file === undefined)
		return failed(
			`pi-sessions cannot find the script that the batch file ${startable.path} runs. Reinstall ${program} with npm, pnpm or yarn.`,
		);
	try {
		const child = spawn(file, [...first, ...args], options);
		await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
		return { ok: true, child };
	} catch (error) {
		const code = errorCode(error);
		if (code === "ENOENT") return missing;
		if (code !== "E2BIG" && code !== "ENAMETOOLONG")
			return failed(`${program} could not be started (${code}).`);
		return failed(
			"This prompt is too long for a command line. Leave out --send and --message to open the session without sending anything.",
		);
	}
}

/**
 * Runs a program in this terminal, in the first of the given folders that exists, and waits for the
 * program to exit.
 */
export async function runInTerminal(
	command: readonly string[],
	{
		folders,
		env,
		input = "inherit",
	}: { folders: readonly string[]; env: Environment; input?: "inherit" | "ignore" },
): Promise<{ ok: true; code: number } | NotStarted> {
	// While another program is using the terminal, Ctrl+C must not end the `pi-sessions` process.
	const ignore = () => undefined;
	process.on("SIGINT", ignore);
	try {
		const cwd = folders.find(isFolder) ?? homedir();
		const started = await startProgram(command, { cwd, env, stdio: [input, "inherit", "inherit"] });
		if (!started.ok) return started;
		return await new Promise((resolve) =>
			started.child.once("exit", (code, signal) =>
				resolve({ ok: true, code: code ?? 128 + (signal ? constants.signals[signal] : 0) }),
			),
		);
	} finally {
		process.off("SIGINT", ignore);
	}
}

/** Runs a program that prints little and exits quickly, and returns its output. */
export function outputOf(
	[program = "", ...args]: readonly string[],
	{ env, timeout }: { env: Environment; timeout: number },
): Promise<{ ok: true; output: string } | NotStarted> {
	const [file = program, ...first] = startableHere(program)?.words ?? [];
	return new Promise((resolve) =>
		execFile(file, [...first, ...args], { env, timeout }, (error, output, stderr) =>
			resolve(
				error ? { ok: false, reason: "failed", detail: stderr || error.message } : { ok: true, output },
			),
		),
	);
}

/** The job outlives the server and has no terminal, so the job's output is written to a log file. */
export async function startJob(
	{ command, cwd, env: more }: { command: readonly string[]; cwd: string; env: Environment },
	agentDir: string,
	env: Environment,
): Promise<{ ok: true; log: string } | { ok: false; reason: "failed"; detail: string }> {
	const folder = join(agentDir, "session-suite", "jobs");
	const time = new Date().toISOString().replaceAll(":", "-");
	const log = join(folder, `${time}-${crypto.randomUUID().slice(0, 8)}.log`);
	let output: number;
	try {
		makeFolder(folder);
		output = openSync(log, "wx", 0o600);
	} catch (error) {
		const detail = `The folder ${folder} cannot be written (${errorCode(error)}).`;
		return { ok: false, reason: "failed", detail };
	}
	const started = await startProgram(command, {
		cwd,
		env: { ...env, ...more },
		detached: true,
		stdio: ["ignore", output, output],
	});
	closeSync(output);
	if (started.ok) {
		started.child.unref();
		return { ok: true, log };
	}
	rmSync(log, { force: true });
	return { ok: false, reason: "failed", detail: `pi could not be started: ${started.detail}` };
}

/**
 * Matches the last line of npm's, pnpm's and yarn's batch files: `… "%dp0%\node_modules\…\cli.js"
 * %*`.
 */
const SHIM = /"%(?:~dp0|dp0%)\\?([^"%\r\n]+\.[cm]?js)"[ \t]+%\*/;

type Startable = { path: string; words: string[] };

function startableHere(name: string): Startable | undefined {
	const path = process.env["PATH"] ?? "";
	return process.platform === "win32" ? startableInWindows(name, path) : { path: name, words: [name] };
}

/**
 * npm, pnpm and yarn install programs as batch files, but Node's `spawn` refuses to run batch files
 * (CVE-2024-27980). This function finds the JavaScript file that the batch file runs.
 */
export function startableInWindows(name: string, path: string): Startable | undefined {
	// The current folder is never searched, because a repository could contain its own `pi.cmd`.
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

type NotOpenedReason = "no_tmux" | "no_folder" | "failed";
export type OpenOutcome = { ok: true; log?: string } | { ok: false; reason: NotOpenedReason; detail: string };

function notOpened(reason: NotOpenedReason, detail: string): OpenOutcome {
	return { ok: false, reason, detail };
}

/**
 * The folder and the command are passed as arguments, so that session text never becomes part of the
 * shell script.
 */
const IN_FOLDER = 'cd -- "$1" || exit; shift; exec "$@"';

/**
 * A new tmux window inherits the tmux server's environment, so pi's variables are passed with the
 * command.
 */
export async function openWindow(
	command: readonly string[],
	cwd = homedir(),
	{ env, agentDir, isBehind = false }: { env: Environment; agentDir: string; isBehind?: boolean },
): Promise<OpenOutcome> {
	if (!env["TMUX"]) return notOpened("no_tmux", "The server is not running inside tmux.");
	if (!isFolder(cwd)) return notOpened("no_folder", "The session's folder no longer exists.");
	// tmux expands `#(…)` in the name and folder of a window, so neither may contain text from a session.
	const words = ["sh", "-c", IN_FOLDER, "sh", cwd, "env", ...piVariables(env, agentDir), ...command];
	// A semicolon at the end of an argument would begin another tmux command.
	const escaped = words.map((word) => word.replace(/;$/, "\\;"));
	const args = ["new-window", ...(isBehind ? ["-d"] : []), "--", ...escaped];
	const opened = await outputOf(["tmux", ...args], { env, timeout: 5_000 });
	return opened.ok ? { ok: true } : notOpened("failed", opened.detail.trim().slice(0, 200));
}

/** A new pi process must not inherit environment variables that describe the current pi process. */
const OF_A_SESSION = /^PI_(?:SESSION_(?:ID|FILE)|SESSION_SUITE_RESUME\w*|CODING_AGENT)$/;

/** Folders are converted to absolute paths, because the new window starts in a different folder. */
function piVariables(env: Environment, agentDir: string): string[] {
	const { prefix } = hostIn(env);
	const isOurs = (name: string) => name.startsWith("PI_") || name.startsWith(`${prefix}_CODING_AGENT_`);
	return Object.entries({ ...env, [`${prefix}_CODING_AGENT_DIR`]: agentDir }).flatMap(([name, value]) => {
		if (!isOurs(name) || value === undefined || OF_A_SESSION.test(name)) return [];
		return [`${name}=${name.endsWith("_DIR") ? resolve(withHome(value)) : value}`];
	});
}
