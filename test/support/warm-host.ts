import { existsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOST_VERSION } from "../host/launch.ts";
import { startHost } from "../host/terminal-host.ts";

/**
 * Starts a host once and opens the board, so that the loader's cache holds the compiled modules. On a clean machine, the first host
 * tests would otherwise all compile them at once, which takes longer than a test may wait for the screen.
 */
export default async function warmHost(): Promise<void> {
	const mark = join(tmpdir(), "jiti", `session-suite-compiled-${HOST_VERSION}`);
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
