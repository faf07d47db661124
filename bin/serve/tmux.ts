import { execFile } from "node:child_process";
import { isFolder } from "../../session-core/regular-file.ts";

export type WindowOutcome =
	| { ok: true }
	| { ok: false; reason: "no_tmux" | "no_folder" | "failed"; detail: string };

export interface TmuxDeps {
	env: Readonly<Record<string, string | undefined>>;
	run(file: string, args: readonly string[]): Promise<{ code: number; stderr: string }>;
}

/** Enters the folder and runs the rest. The folder is an argument, not a part of the script. */
const SCRIPT = 'cd -- "$1" || exit; shift; exec "$@"';

/** Runs a command in a new window of the tmux that this process runs in. */
export async function openWindow(
	command: readonly string[],
	cwd: string,
	deps: TmuxDeps = { env: process.env, run },
): Promise<WindowOutcome> {
	if (!deps.env["TMUX"])
		return { ok: false, reason: "no_tmux", detail: "The server does not run inside tmux." };
	if (!isFolder(cwd)) return { ok: false, reason: "no_folder", detail: "The session's folder is gone." };
	const { code, stderr } = await deps.run("tmux", windowArguments(command, cwd));
	return code === 0 ? { ok: true } : { ok: false, reason: "failed", detail: stderr.trim().slice(0, 200) };
}

/**
 * No part of a session stands where tmux reads a format: `#(…)` in a window's name or folder would be run. As words of the
 * command it is taken as it is, but for a semicolon at the end of a word, which would begin the next command.
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
