import { spawn } from "node:child_process";
import { lstatSync } from "node:fs";

export interface ProgramOptions {
	env: NodeJS.ProcessEnv;
	/** Timeout in milliseconds. Default: 2,000, because these programs answer either within milliseconds or not at all. */
	deadlineMs?: number;
}

/** Longer output is cut. */
const MAX_OUTPUT = 16 * 1024;

/**
 * Returns the output of a program; undefined if the program does not exist, fails or times out. The program runs without a shell and
 * without access to our terminal, so it can neither read what the user types nor write between the host's frames.
 */
export function runProgram(
	[program, ...args]: readonly [string, ...string[]],
	{ env, deadlineMs = 2_000 }: ProgramOptions,
): Promise<string | undefined> {
	return new Promise((resolve) => {
		let output = "";
		const child = spawn(program, args, {
			env,
			stdio: ["ignore", "pipe", "ignore"],
			detached: process.platform !== "win32",
			windowsHide: true,
		});
		const late = setTimeout(() => {
			child.kill("SIGKILL");
			done(undefined);
		}, deadlineMs);
		const done = (result: string | undefined): void => {
			clearTimeout(late);
			// A child process of the program may keep the pipe open although the result is already known.
			child.stdout.destroy();
			resolve(result);
		};
		child.stdout.setEncoding("utf8").on("data", (text: string) => {
			output = (output + text).slice(0, MAX_OUTPUT);
		});
		child.on("error", () => done(undefined));
		child.on("close", (code) => done(code === 0 ? output : undefined));
	});
}

/**
 * Whether a path is a socket that this user created. Sockets of other users are not used, because programs trust the server that they
 * connect to: a tmux server can make its client run a command.
 */
export function isOwnSocket(path: string): boolean {
	try {
		const stat = lstatSync(path);
		return stat.isSocket() && stat.uid === process.getuid?.();
	} catch {
		// It is gone.
		return false;
	}
}
