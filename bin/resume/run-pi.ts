import { spawn } from "node:child_process";
import { constants, homedir } from "node:os";
import type { ResumePlan } from "../../session-core/resume-plan/plan.ts";
import { isFolder } from "../../session-core/store/is-folder.ts";
import { errorCode } from "../../session-core/store/regular-file.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { FAILED } from "../shell/exit.ts";
import { machineFor } from "../shell/machine.ts";
import { programFor } from "../shell/program.ts";
import type { World } from "../shell/world.ts";

const NOT_FOUND = "pi is not found in PATH.";
const TOO_LONG =
	"this prompt is too long for a command line; without --send or --message, pi is opened as it is.";

/** Runs pi with this terminal, in the session's own folder; gives its exit code. */
export async function runPi(plan: ResumePlan, world: World, say: (text: string) => void): Promise<number> {
	const [program = "pi", ...args] = plan.command;
	const isThere = isFolder(plan.cwd);
	if (!isThere && plan.kind === "job") {
		say(`its folder is gone: ${cleanLine(plan.cwd)}. A job runs where it ran before.`);
		return FAILED;
	}
	const env = { ...world.env, ...plan.env };
	const startable = programFor(program, args, machineFor(env));
	if (!startable.ok) {
		say(startable.reason === "missing" ? NOT_FOUND : notPassable(startable.file));
		return FAILED;
	}
	// Ctrl+C is for pi, which has the terminal.
	const ignore = () => undefined;
	process.on("SIGINT", ignore);
	try {
		// In a folder that is gone pi itself asks where to go on.
		const cwd = [plan.cwd, world.cwd].find(isFolder) ?? homedir();
		// A job has its prompt, and would wait for the end of what is piped in.
		const stdin = plan.kind === "job" ? "ignore" : "inherit";
		const child = spawn(startable.file, startable.args, {
			cwd,
			env,
			stdio: [stdin, "inherit", "inherit"],
			windowsVerbatimArguments: startable.verbatim,
		});
		return await new Promise<number>((resolve, reject) => {
			child.once("error", reject);
			child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
		});
	} catch (error) {
		say(whyNot(errorCode(error)));
		return FAILED;
	} finally {
		process.off("SIGINT", ignore);
	}
}

function whyNot(code: string | undefined): string {
	if (code === "ENOENT") return NOT_FOUND;
	return code === "E2BIG" || code === "ENAMETOOLONG" ? TOO_LONG : `pi cannot be started (${code}).`;
}

function notPassable(file: string): string {
	return `pi is a batch file here (${cleanLine(file)}), which takes no prompt of several lines or of more than 8,000 characters.`;
}
