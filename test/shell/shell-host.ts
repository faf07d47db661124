import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { hostEnvironment } from "../host/environment.ts";
import { testHost } from "../host/in-test.ts";
import { HOST_CLI, HOST_NODE, PROJECT_ROOT } from "../host/launch.ts";
import type { Sandbox } from "../host/sandbox.ts";
import type { ScriptedModel } from "../host/scripted-model.ts";
import type { TerminalHost } from "../host/terminal-host.ts";
import { DEADLINE_MS } from "../host/until.ts";

const PROGRAM = join(PROJECT_ROOT, "bin", "pi-sessions.mjs");

export interface Place {
	sandbox: Sandbox;
	model: ScriptedModel;
}

/** Installs the real host with session-resume as `pi`. Returns a `PATH` that finds it. */
function pathToPi({ root }: Sandbox): string {
	const folder = join(root, "bin");
	mkdirSync(folder, { recursive: true });
	const command = [HOST_NODE, HOST_CLI, "-e", join(PROJECT_ROOT, "session-resume")];
	const pi = join(folder, "pi");
	writeFileSync(pi, `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(" ")} "$@"\n`);
	chmodSync(pi, 0o755);
	return [folder, dirname(process.execPath), process.env["PATH"]].join(delimiter);
}

/** Runs `pi-sessions` in a terminal; by default, resolves when pi shows its prompt. */
export function shellTerminal(
	{ sandbox, model }: Place,
	args: string[],
	waitFor: "prompt" | "none" = "prompt",
): Promise<TerminalHost> {
	return testHost({
		waitFor,
		cli: PROGRAM,
		extensions: [],
		args,
		sandbox,
		model,
		rows: 50,
		env: { PATH: pathToPi(sandbox) },
	});
}

export function shellRun(
	{ sandbox }: Pick<Place, "sandbox">,
	args: string[],
): Promise<{ code: number; stdout: string; stderr: string }> {
	const env = hostEnvironment(sandbox, dirname(process.execPath), { PATH: pathToPi(sandbox) });
	return new Promise((resolve) => {
		const options = { cwd: sandbox.cwd, env, timeout: DEADLINE_MS };
		execFile(process.execPath, [PROGRAM, ...args], options, (error, stdout, stderr) => {
			const code = typeof error?.code === "number" ? error.code : Number(error !== null);
			resolve({ code, stdout, stderr });
		});
	});
}
