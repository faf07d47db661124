import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TerminalHost } from "./terminal-host.ts";
import { until } from "./until.ts";

/** What this host's extensions wrote into the debug log (switched on by `PI_SESSION_SUITE_DEBUG=1`). */
export function debugLog(host: TerminalHost): string[] {
	const path = join(host.sandbox.agentDir, "session-suite/debug.log");
	if (!existsSync(path)) return [];
	return readFileSync(path, "utf8")
		.split("\n")
		.filter((line) => line.split(" ")[1] === String(host.pid));
}

/** Resolves when an extension has logged this `count` times (default: once): that beats waiting for time to pass. */
export async function logged(host: TerminalHost, event: RegExp, count = 1): Promise<void> {
	await until(() => debugLog(host).filter((line) => event.test(line)).length >= count, {
		what: `${count} × ${event} in the log`,
		detail: () => `${debugLog(host).join("\n")}\n${host.screen.picture()}`,
	});
}
