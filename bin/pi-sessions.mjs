#!/usr/bin/env node
/**
 * A status bar runs `status` every few seconds, so `status` is plain JavaScript, which loads quickly.
 * All other commands are TypeScript, which jiti compiles.
 */
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

// The pipe's reader may close the pipe early, as `| head` does, so EPIPE is not an error.
for (const stream of [process.stdout, process.stderr]) {
	stream.on("error", (error) => process.exit(error.code === "EPIPE" ? 0 : 1));
}
const [command, ...args] = process.argv.slice(2);
if (command === "status" && !args.some((arg) => /^(?:--help|-h)$/.test(arg))) {
	const { status } = await import("./status.mjs");
	process.exitCode = status(args, process);
} else {
	// `require` loads jiti faster than `import`, because `import` parses all of jiti to find its exports.
	const createJiti = loadJiti();
	const { main } = await createJiti(import.meta.url, {
		// `interopDefault` slows down each call between modules, and only default exports require it.
		interopDefault: false,
		// jiti cannot find its own cache folder if TMPDIR is set and the current folder was removed.
		fsCache: join(tmpdir(), "jiti"),
	})
		.import("./main.ts")
		.catch(missing);
	process.exitCode = await main(process.argv.slice(2));
}

function loadJiti() {
	try {
		return createRequire(import.meta.url)("jiti");
	} catch (error) {
		return missing(error);
	}
}

function missing(error) {
	if (!/MODULE_NOT_FOUND$/.test(error.code)) throw error;
	const folder = JSON.stringify(fileURLToPath(new URL("..", import.meta.url)));
	process.stderr.write(
		`pi-sessions: Dependencies are missing. To install them, run npm install --prefix ${folder}\n`,
	);
	process.exit(1);
}
