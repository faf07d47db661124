import { spawn } from "node:child_process";
import { HOST_NODE, type LaunchOptions, prepareLaunch } from "./launch.ts";
import type { ProcessEnd } from "./process-end.ts";
import { readSession, type SessionLine, sessionFiles } from "./session-files.ts";

export interface RunOptions extends Omit<LaunchOptions, "args"> {
	/** Milliseconds until the host is killed and the run fails. Default 40,000. */
	deadlineMs?: number;
	/** Called after the start, with a function that signals the host. */
	started?: (signal: (name: NodeJS.Signals) => void) => void;
}

export interface HostRun extends ProcessEnd {
	stdout: string;
	stderr: string;
	/** The calls that reached the model. */
	requests: LaunchRequests;
	/** The entries of the newest session file. */
	entries: SessionLine[];
}

type LaunchRequests = Awaited<ReturnType<typeof prepareLaunch>>["model"]["requests"];

/** Runs the host without a terminal until it ends: `["-p", "question"]`, `["--mode", "json", "-p", …]`, `--help`. */
export async function runHost(args: string[], options: RunOptions = {}): Promise<HostRun> {
	const { deadlineMs = 40_000, started, ...rest } = options;
	const launch = await prepareLaunch({ ...rest, args });
	const startedAt = performance.now();
	const child = spawn(HOST_NODE, launch.args, { cwd: launch.sandbox.cwd, env: launch.env });
	started?.((name) => child.kill(name));
	let stdout = "";
	let stderr = "";
	child.stdout.setEncoding("utf8").on("data", (text: string) => {
		stdout += text;
	});
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		stderr += text;
	});
	// A host may end without reading its input, which breaks the pipe.
	child.stdin.on("error", () => undefined).end();
	const timer = setTimeout(() => child.kill("SIGKILL"), deadlineMs);
	try {
		const end = await new Promise<ProcessEnd>((resolve, reject) => {
			child.once("error", reject);
			child.once("close", (code, signal) => resolve({ code, signal }));
		});
		if (performance.now() - startedAt >= deadlineMs)
			throw new Error(`The host did not end in ${deadlineMs} ms.\n${stdout}${stderr}`);
		const file = sessionFiles(launch.sandbox.sessionDir)[0];
		const entries = file === undefined ? [] : readSession(file);
		return { ...end, stdout, stderr, requests: launch.model.requests, entries };
	} finally {
		clearTimeout(timer);
		await launch.release();
	}
}
