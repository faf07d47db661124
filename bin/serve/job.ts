import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isFolder } from "../../session-core/regular-file.ts";
import type { ResumePlan } from "../../session-core/resume-plan/plan.ts";
import { machineFor, programFor } from "../command/run-pi.ts";

export type JobOutcome =
	| { ok: true; log: string; pid: number | undefined }
	| { ok: false; reason: "no_folder" | "failed"; detail: string };

/** Starts a headless run that continues after the server ends. The run has no terminal, so its output goes to a log file. */
export async function startJob(
	{ command, cwd, env: more }: Pick<ResumePlan, "command" | "cwd" | "env">,
	{ agentDir, env }: { agentDir: string; env: Readonly<Record<string, string | undefined>> },
): Promise<JobOutcome> {
	if (!isFolder(cwd)) return { ok: false, reason: "no_folder", detail: "The job's folder does not exist." };
	const [program = "pi", ...args] = command;
	const all = { ...env, ...more };
	const startable = programFor(program, args, machineFor(all));
	if (!startable.ok) return { ok: false, reason: "failed", detail: "pi could not be started." };
	const folder = join(agentDir, "session-suite", "jobs");
	const log = join(
		folder,
		`${new Date().toISOString().replaceAll(":", "-")}-${randomUUID().slice(0, 8)}.log`,
	);
	let output: number | undefined;
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		output = openSync(log, "wx", 0o600);
		const child = spawn(startable.file, startable.args, {
			cwd,
			env: all,
			detached: true,
			stdio: ["ignore", output, output],
		});
		await new Promise((resolve, reject) => {
			child.once("error", reject);
			child.once("spawn", resolve);
		});
		child.unref();
		return { ok: true, log, pid: child.pid };
	} catch (error) {
		// pi was not started, for example because it is not in the PATH, the prompt is too long, or the disk is full.
		rmSync(log, { force: true });
		const why = error instanceof Error ? error.message : String(error);
		return { ok: false, reason: "failed", detail: `pi could not be started (${why.slice(0, 200)}).` };
	} finally {
		if (output !== undefined) closeSync(output);
	}
}
