import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { createInterface } from "node:readline/promises";
import { hostEnvironment, terminalEnvironment } from "../test/host/environment.ts";
import { hostArguments } from "../test/host/launch.ts";
import { createDemoWorld, DEMO_ARGS, type DemoWorld } from "./world.ts";

const WELCOME = `
pi-session-suite: the real pi 0.73.1 with this package, on a scripted model on 127.0.0.1.
No API key is used, nothing leaves this machine, and its files are removed when you leave.

It opens on a session of yesterday. The card above the editor says where that stands: at
once by rules, a moment later in the model's words. Then try:

  run the tests                 and look at another window until they are done, then come back
                                and the session names itself
  throw a RangeError instead    the agent edits and tests the sample project
  /resume-here                  the next step, as a prompt to edit
  /sessions   /recap   /recap status   /recap doctor   /rename mine   and /quit to leave
`;

/** Hand the user's terminal to the host; resolves with its exit code once everything is cleaned up. */
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

/** The host paints over what stands here, so it starts when the visitor has read. Ctrl+C or Ctrl+D leaves. */
async function pressedEnter(): Promise<boolean> {
	const reader = createInterface({ input: process.stdin, output: process.stdout });
	const left = new Promise<boolean>((resolve) => {
		reader.once("SIGINT", () => resolve(false));
		reader.once("close", () => resolve(false));
	});
	const entered = reader.question("Press Enter to start, Ctrl+C to leave. ").then(
		() => true,
		() => false,
	);
	const go = await Promise.race([entered, left]);
	reader.close();
	return go;
}

/** A spawned child and not a synchronous one: the model is served by this process while the host runs. */
function runHostHere({ sandbox }: DemoWorld): Promise<number> {
	const host = spawn(process.execPath, hostArguments({ args: DEMO_ARGS }), {
		cwd: sandbox.cwd,
		env: hostEnvironment(sandbox, dirname(process.execPath), terminalEnvironment()),
		stdio: "inherit",
	});
	// Ctrl+C goes to the whole process group: the host decides what it means, and its end is ours.
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
