import { execFile } from "node:child_process";
import { isFolder } from "../../session-core/regular-file.ts";

export type WindowOutcome =
	| { ok: true }
	| { ok: false; reason: "no_tmux" | "no_folder" | "failed"; detail: string };

export interface TmuxDeps {
	env: Readonly<Record<string, string | undefined>>;
	run(file: string, args: readonly string[]): Promise<{ code: number; stderr: string }>;
}

/** Changes to the folder and runs the command. Both are passed as arguments, so no text becomes part of the script. */
const SCRIPT = 'cd -- "$1" || exit; shift; exec "$@"';

/** Runs a command in a new window of the tmux session in which this process runs. */
export async function openWindow(
	command: readonly string[],
	cwd: string,
	deps: TmuxDeps = { env: process.env, run },
): Promise<WindowOutcome> {
	if (!deps.env["TMUX"])
		return { ok: false, reason: "no_tmux", detail: "The server is not running inside tmux." };
	if (!isFolder(cwd))
		return { ok: false, reason: "no_folder", detail: "The session's folder does not exist." };
	const { code, stderr } = await deps.run("tmux", windowArguments(command, cwd));
	return code === 0 ? { ok: true } : { ok: false, reason: "failed", detail: stderr.trim().slice(0, 200) };
}

/**
 * Returns the arguments for tmux. Session text is never used as a window's name or folder, because tmux expands formats there and would run
 * `#(…)`. In the words of the command, formats are not expanded, but a semicolon at the end of a word would begin another tmux command, so
 * it is escaped.
 */
export function windowArguments(command: readonly string[], cwd: string): string[] {
	const words = ["sh", "-c", SCRIPT, "sh", cwd, ...command];
	return ["new-window", "--", ...words.map((word) => word.replace(/;$/, "\\;"))];
}

function run(file: string, args: readonly string[]): Promise<{ code: number; stderr: string }> {
	return new Promise((resolve) => {
		execFile(file, [...args], { timeout: 5_000 }, (error, _stdout, stderr) => {
			const failure = typeof error?.code === "number" ? error.code : 1;
			resolve({ code: error ? failure : 0, stderr: stderr || (error?.message ?? "") });
		});
	});
}
