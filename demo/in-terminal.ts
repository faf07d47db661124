import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { hostEnvironment, terminalEnvironment } from "../test/host/environment.ts";
import { hostArguments } from "../test/host/launch.ts";
import { createDemoWorld, DEMO_ARGS, type DemoWorld } from "./world.ts";

export const WELCOME = `
pi-session-suite: the real pi 0.73.1 with this package and
a scripted model on 127.0.0.1. It needs no API key, sends
nothing, and removes its files when you quit.

It opens yesterday's session. The card above the editor
shows its state: at once without a model, a moment later
in the model's words. Then try:

  run the tests      Look at another window until they are
                     done, then come back for the recap.
                     The session names itself.
  throw a RangeError instead
                     The agent edits and tests the project.
  /resume-here       Put the next step into the editor.
  /sessions          See all sessions; one waits for you.
  /recap   /recap status   /recap doctor   /rename mine
  /quit              Leave.

In tmux, the recap after a return needs focus reports:
  tmux set -g focus-events on
`;

/** Runs the host in the user's terminal. Resolves to the host's exit code after the cleanup. */
export async function demoInTerminal(): Promise<number> {
	console.log(WELCOME);
	if (!(await pressedEnter())) return 0;
	const world = await createDemoWorld();
	try {
		return await runHostHere(world);
	} finally {
		await world.remove();
		console.log("\nThe demo's files are removed.");
	}
}

/** Waits for Enter, because the host will overwrite the text above. Resolves to false after Ctrl+C or Ctrl+D. */
async function pressedEnter(): Promise<boolean> {
	const reader = createInterface({ input: process.stdin, output: process.stdout });
	const answer = new Promise<boolean>((resolve) => {
		reader.once("line", () => resolve(true));
		reader.once("close", () => resolve(false));
	});
	reader.setPrompt("Press Enter to start, Ctrl+C to leave. ");
	reader.prompt();
	const isEntered = await answer;
	reader.close();
	return isEntered;
}

/** Starts the host without blocking, because this process also serves the model while the host runs. */
function runHostHere({ sandbox }: DemoWorld): Promise<number> {
	const host = spawn(process.execPath, hostArguments({ args: DEMO_ARGS }), {
		cwd: sandbox.cwd,
		env: hostEnvironment(sandbox, dirname(process.execPath), terminalEnvironment()),
		stdio: "inherit",
	});
	// Ctrl+C reaches the whole process group. The host decides how to handle it; this process ignores it and exits once the host has exited.
	const wait = (): void => undefined;
	const pass = (signal: NodeJS.Signals): void => void host.kill(signal);
	process.on("SIGINT", wait).on("SIGTERM", pass).on("SIGHUP", pass);
	return new Promise<number>((resolve, reject) => {
		host.once("error", reject);
		host.once("close", (code) => resolve(code ?? 1));
	}).finally(() => {
		process.off("SIGINT", wait).off("SIGTERM", pass).off("SIGHUP", pass);
	});
}
