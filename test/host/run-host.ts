import { execFile } from "node:child_process";
import { HOST_NODE, type LaunchOptions, prepareLaunch } from "./launch.ts";
import type { ModelRequest } from "./model-request.ts";
import type { ProcessEnd } from "./process-end.ts";
import { readSession, type SessionLine, sessionFiles } from "./session-files.ts";
import { DEADLINE_MS } from "./until.ts";

export interface RunOptions extends Omit<LaunchOptions, "args"> {
	/** Milliseconds until the host is killed and the run fails. Default: `DEADLINE_MS`. */
	deadlineMs?: number;
	/** Called after the start, with a function that sends signals to the host. */
	started?: (signal: (name: NodeJS.Signals) => void) => void;
}

export interface HostRun extends ProcessEnd {
	stdout: string;
	stderr: string;
	requests: ModelRequest[];
	entries: SessionLine[];
}

/** Runs the host without a terminal until it ends: `["-p", "question"]`, `--help`. */
export async function runHost(args: string[], options: RunOptions = {}): Promise<HostRun> {
	const { deadlineMs: timeout = DEADLINE_MS, started, ...rest } = options;
	const { args: words, env, sandbox, model, release } = await prepareLaunch({ ...rest, args });
	try {
		const run = await new Promise<ProcessEnd & { stdout: string; stderr: string }>((resolve, reject) => {
			const limits = { timeout, killSignal: "SIGKILL", maxBuffer: 1e8 } as const;
			const child = execFile(
				HOST_NODE,
				words,
				{ cwd: sandbox.cwd, env, ...limits },
				(error, stdout, stderr) => {
					if (error?.signal === "SIGKILL")
						reject(new Error(`The host did not end in ${timeout} ms.\n${stdout}${stderr}`));
					else resolve({ code: child.exitCode, signal: child.signalCode, stdout, stderr });
				},
			);
			started?.((name) => child.kill(name));
			// A host may end without reading its input, which breaks the pipe.
			child.stdin?.on("error", () => undefined).end();
		});
		const [file] = sessionFiles(sandbox.sessionDir);
		return { ...run, requests: model.requests, entries: file === undefined ? [] : readSession(file) };
	} finally {
		await release();
	}
}
