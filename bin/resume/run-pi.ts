import { spawn } from "node:child_process";
import { constants, homedir } from "node:os";
import type { ResumePlan } from "../../session-core/resume-plan/plan.ts";
import { isFolder } from "../../session-core/store/is-folder.ts";
import { errorCode } from "../../session-core/store/regular-file.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { FAILED } from "../shell/exit.ts";
import type { World } from "../shell/world.ts";

/** Runs pi with this terminal, in the session's own folder; gives its exit code. */
export async function runPi(plan: ResumePlan, world: World, say: (text: string) => void): Promise<number> {
	const [program = "pi", ...args] = plan.command;
	const isThere = isFolder(plan.cwd);
	if (!isThere && plan.kind === "job") {
		say(`its folder is gone: ${cleanLine(plan.cwd)}. A job runs where it ran before.`);
		return FAILED;
	}
	// Ctrl+C is for pi, which has the terminal.
	const ignore = () => undefined;
	process.on("SIGINT", ignore);
	try {
		const env = { ...world.env, ...plan.env };
		// In a folder that is gone pi itself asks where to go on.
		const cwd = [plan.cwd, world.cwd].find(isFolder) ?? homedir();
		// A job has its prompt, and would wait for the end of what is piped in.
		const stdin = plan.kind === "job" ? "ignore" : "inherit";
		const child = spawn(program, args, { cwd, env, stdio: [stdin, "inherit", "inherit"] });
		return await new Promise<number>((resolve, reject) => {
			child.once("error", reject);
			child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
		});
	} catch (error) {
		const isMissing = errorCode(error) === "ENOENT";
		say(isMissing ? "pi is not found in PATH." : `pi cannot be started (${errorCode(error)}).`);
		return FAILED;
	} finally {
		process.off("SIGINT", ignore);
	}
}
