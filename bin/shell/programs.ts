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

type StartOutcome = { ok: true; child: ChildProcess } | { ok: false; isMissing: boolean; detail: string };

/** Starts a program without a shell, so that the shell cannot interpret the arguments. Resolves as soon as the program is running. */
export async function startProgram(
	[program = "", ...args]: readonly string[],
	options: SpawnOptions & { env: NodeJS.ProcessEnv },
): Promise<StartOutcome> {
	const failed = (detail: string, isMissing = false) => ({ ok: false, isMissing, detail }) as const;
	const startable = startableHere(program);
	if (!startable) return failed(missingText(program), true);
	const [file, ...first] = startable.words;
	const batchFile = cleanLine(startable.path);
	if (file === undefined)
		return failed(
			`pi-sessions cannot start the batch file ${batchFile}. Install ${program} with npm, pnpm or yarn.`,
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

/** The largest file that pi can open depends on pi's version. The version is checked only for files that some versions cannot open. */
export async function whyTooLarge(size: number, env: Environment): Promise<string | undefined> {
	if (size <= EVERY_HOST_OPENS) return undefined;
	const [file, ...args] = startableHere(hostIn(env).program)?.words ?? [];
	if (file === undefined) return undefined;
	const asked = run(file, [...args, "--version"], { env, timeout: 10_000 });
	// If pi does not print its version, this check finds no problem. pi itself reports a problem when it opens the session.
	const version = await asked.then(({ stdout }) => cleanLine(stdout)).catch(() => "");
	return tooLargeText(size, version);
}

export type OpenOutcome =
	| { ok: true; log?: string }
	| { ok: false; reason: "no_tmux" | "no_folder" | "failed"; detail: string };

function notOpened(reason: "no_tmux" | "no_folder" | "failed", detail: string): OpenOutcome {
	return { ok: false, reason, detail };
}

/** The job continues after the server ends. Its output is written to a log file, because the job has no terminal. */
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
	const { detail: reason } = started;
	return notOpened("failed", `pi could not be started: ${reason}`);
}

/** The folder and the command are arguments of this shell script, so text from a session never becomes part of the script. */
const IN_FOLDER = 'cd -- "$1" || exit; shift; exec "$@"';

/** tmux starts the window with the environment of the tmux server, so pi's variables are passed with the command. */
export async function openWindow(
	command: readonly string[],
	cwd: string,
	{ env, agentDir, isBehind = false }: { env: Environment; agentDir: string; isBehind?: boolean },
): Promise<OpenOutcome> {
	if (!env["TMUX"]) return notOpened("no_tmux", "The server is not running inside tmux.");
	if (!isFolder(cwd)) return notOpened("no_folder", "The session's folder no longer exists.");
	// tmux expands formats such as `#(…)` in a window's name and folder, so these options must not contain text from a session.
	const words = ["sh", "-c", IN_FOLDER, "sh", cwd, "env", ...piVariables(env, agentDir), ...command];
	// A semicolon at the end of an argument would begin another tmux command.
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

/** Variables that describe the current pi process must not be inherited by a new pi process. */
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

/** Matches the last line of a batch file that npm, pnpm or yarn created: `… "%dp0%\node_modules\…\cli.js" %*`. */
const SHIM = /"%(?:~dp0|dp0%)\\?([^"%\r\n]+\.[cm]?js)"[ \t]+%\*/;

type Startable = { path: string; words: string[] };

function startableHere(name: string): Startable | undefined {
	const path = process.env["PATH"] ?? "";
	return process.platform === "win32" ? startableInWindows(name, path) : { path: name, words: [name] };
}

/**
 * npm, pnpm and yarn install programs as batch files, but Node's `spawn` refuses to run batch files (CVE-2024-27980). Therefore, the script
 * in the batch file is started instead. The current folder is never searched, because a repository could contain its own `pi.cmd`.
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
