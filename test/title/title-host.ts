import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { useTool } from "../host/answer.ts";
import { testHost, testRpc } from "../host/in-test.ts";
import { type LaunchOptions, PROJECT_ROOT } from "../host/launch.ts";
import type { RpcHost } from "../host/rpc-host.ts";
import type { SessionLine } from "../host/session-files.ts";
import type { TerminalHost, TerminalOptions } from "../host/terminal-host.ts";
import { until } from "../host/until.ts";

/** The extension alone, as a user's package filter would load it. */
export const EXTENSION = join(PROJECT_ROOT, "session-title/index.ts");

export const TASK = "the login page redirects forever after the token expires, find out why";

/** The debug log tells when the extension has decided something: waiting for that beats waiting for time to pass. */
const env = { PI_SESSION_SUITE_DEBUG: "1" };

export function titleHost(options: TerminalOptions = {}): Promise<TerminalHost> {
	return testHost({ extensions: [EXTENSION], ...options, env: { ...env, ...options.env } });
}

export function titleRpc(options: LaunchOptions = {}): Promise<RpcHost> {
	return testRpc({ extensions: [EXTENSION], env, ...options });
}

/** The structured answer of a title call. */
export const titled = (title: string) => useTool("set_session_title", { title });

/** What this host's extension wrote into the debug log. */
export function logOf(host: TerminalHost): string[] {
	const path = join(host.sandbox.agentDir, "session-suite/debug.log");
	if (!existsSync(path)) return [];
	return readFileSync(path, "utf8")
		.split("\n")
		.filter((line) => line.split(" ")[1] === String(host.pid));
}

const decisions = (host: TerminalHost) =>
	logOf(host).filter((line) => /title\.not_asked|title\.asked trigger="auto"/.test(line)).length;

/** Submit a prompt; resolves when it is answered and the extension has decided whether to ask for a title. */
export async function ask(host: TerminalHost, prompt: string): Promise<void> {
	const before = decisions(host);
	host.submit(prompt);
	await until(() => decisions(host) > before, {
		what: `"${prompt}" to be settled`,
		detail: () => host.screen.picture(),
	});
}

/** Resolves when the extension has logged this `count` times (default: once). */
export async function logged(host: TerminalHost, event: RegExp, count = 1): Promise<void> {
	await until(() => logOf(host).filter((line) => event.test(line)).length >= count, {
		what: `${count} × ${event} in the log`,
		detail: () => logOf(host).join("\n"),
	});
}

/** Names of a session file, oldest first, and the title records with them. */
export function namesOf(entries: readonly SessionLine[]): unknown[] {
	return entries.filter(({ type }) => type === "session_info").map(({ name }) => name);
}

export function recordsOf(entries: readonly SessionLine[]): unknown[] {
	return entries.filter(({ customType }) => customType === "session-suite:title").map(({ data }) => data);
}
