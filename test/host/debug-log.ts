import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TerminalHost } from "./terminal-host.ts";
import { until } from "./until.ts";

/** Turns the debug log on, which shows decisions, so that no test waits for a fixed time. */
export const WITH_LOG = { PI_SESSION_SUITE_DEBUG: "1" };

export function logOf(host: TerminalHost): string[] {
	const path = join(host.sandbox.agentDir, "session-suite/debug.log");
	if (!existsSync(path)) return [];
	return readFileSync(path, "utf8")
		.split("\n")
		.filter((line) => line.split(" ")[1] === String(host.pid));
}

/** Resolves when `count` lines match (default: 1). */
export async function logged(host: TerminalHost, event: RegExp, count = 1): Promise<void> {
	await until(
		() => logOf(host).filter((line) => event.test(line)).length >= count,
		`${count} × ${event} in the log`,
		{ detail: () => `${logOf(host).join("\n")}\n${host.screen.picture()}` },
	);
}
