import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOST_VERSION, PROJECT_ROOT } from "../host/launch.ts";
import { startHost } from "../host/terminal-host.ts";

/**
 * Starts a host once and opens the board, so that the loader's cache holds the compiled modules. On a clean machine, the first host
 * tests would otherwise all compile them at once, which takes longer than a test may wait for the screen.
 */
export default async function warmHost(): Promise<void> {
	const mark = join(tmpdir(), "jiti", `session-suite-compiled-${compiledCode()}`);
	if (existsSync(mark)) return;
	const deadlineMs = 120_000;
	const host = await startHost({ deadlineMs });
	try {
		host.key("alt+s");
		await host.screen.waitFor(/◉ This project/, { deadlineMs });
		writeFileSync(mark, "");
	} finally {
		await host.dispose();
	}
}

/** Identifies the host and all modules that it compiles. The loader's cache depends on their paths, too, not on their text alone. */
function compiledCode(): string {
	const hash = createHash("sha256").update(`${HOST_VERSION}\n${PROJECT_ROOT}\n`);
	const folders = readdirSync(PROJECT_ROOT).filter((name) => name.startsWith("session-"));
	for (const folder of folders.map((name) => join(PROJECT_ROOT, name)))
		for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort())
			if (file.endsWith(".ts") && !/\.test(?:-support)?\.ts$/.test(file))
				hash.update(readFileSync(join(folder, file)));
	return hash.digest("hex").slice(0, 16);
}
