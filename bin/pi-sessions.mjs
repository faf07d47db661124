#!/usr/bin/env node
/**
 * The entry point of the shell command. `status` is plain JavaScript, because a status bar runs it every few seconds. Everything else is
 * TypeScript, which jiti loads, as in pi.
 */
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

// A reader that closes the pipe (`| head`) is not an error.
for (const stream of [process.stdout, process.stderr]) {
	stream.on("error", (error) => process.exit(error.code === "EPIPE" ? 0 : 1));
}
const [command, ...args] = process.argv.slice(2);
if (command === "status" && !args.some((arg) => /^(?:--help|-h)$/.test(arg))) {
	const { status } = await import("./status.mjs");
	process.exitCode = status(args, process);
} else {
	// `require` is faster than `import`, which would parse all of jiti to find its exports.
	const createJiti = loadJiti();
	// `interopDefault` is off, because no module of the suite has a default export, and the wrapper slows down each call between modules.
	// `fsCache` is jiti's default cache folder, which jiti cannot find if TMPDIR is set and the current folder has been removed.
	const { main } = await createJiti(import.meta.url, {
		interopDefault: false,
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
	const root = fileURLToPath(new URL("..", import.meta.url));
	process.stderr.write(
		`pi-sessions: dependencies are missing. Run npm install --prefix ${JSON.stringify(root)}\n`,
	);
	process.exit(1);
}
