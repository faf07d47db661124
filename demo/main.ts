// The demo starts pi itself with sample sessions and a scripted model.
// The demo does not change the user's own files.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { hostEnvironment, terminalEnvironment } from "../test/host/environment.ts";
import { hostArguments } from "../test/host/launch.ts";
import { tour } from "./tour.ts";
import { createDemoWorld, DEMO_ARGS, type DemoWorld, WELCOME } from "./world.ts";

const interactive = process.stdin.isTTY && process.stdout.isTTY;
process.exitCode = await (interactive ? demoInTerminal() : demoWithoutTerminal());

async function demoWithoutTerminal(): Promise<number> {
	console.log(
		"The output is not a terminal, so the demo runs without input: pi 0.73.1 in a pseudo-terminal, with a scripted model.",
	);
	try {
		await tour((caption, host) => console.log(`\n${caption}\n${host.screen.picture()}`));
		console.log("\nRun `npm run demo` in a terminal to try it yourself.");
		return 0;
	} catch (error) {
		console.error(`\nThe demo failed. ${error instanceof Error ? error.message : error}`);
		return 1;
	}
}

async function demoInTerminal(): Promise<number> {
	console.log(WELCOME);
	if (!(await pressedEnter())) return 0;
	const world = await createDemoWorld();
	try {
		return await runHostHere(world);
	} finally {
		await world.remove();
		console.log("\nThe demo's files have been removed.");
	}
}

/**
 * Waits for Enter, so that the user can read the introduction before pi's screen replaces the text.
 * Resolves to false after Ctrl+C or Ctrl+D.
 */
async function pressedEnter(): Promise<boolean> {
	const reader = createInterface({ input: process.stdin, output: process.stdout });
	reader.setPrompt("Press Enter to start, or Ctrl+C to quit. ");
	reader.prompt();
	const left = once(reader, "close").then(() => false);
	const isEntered = await Promise.race([once(reader, "line").then(() => true), left]);
	reader.close();
	return isEntered;
}

/** The demo's process must not block, because it also serves the scripted model. */
async function runHostHere({ sandbox }: DemoWorld): Promise<number> {
	const host = spawn(process.execPath, hostArguments({ args: DEMO_ARGS }), {
		cwd: sandbox.cwd,
		env: hostEnvironment(sandbox, dirname(process.execPath), terminalEnvironment()),
		stdio: "inherit",
	});
	// Ctrl+C reaches both the demo and pi. The demo ignores Ctrl+C, because pi must exit first.
	process.on("SIGINT", () => undefined);
	for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => host.kill(signal));
	const [code] = await once(host, "close");
	return code ?? 1;
}
