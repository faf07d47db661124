import { join } from "node:path";
import { say } from "../host/answer.ts";
import { logOf, WITH_LOG } from "../host/debug-log.ts";
import { testHost, testRpc } from "../host/in-test.ts";
import { type LaunchOptions, PROJECT_ROOT } from "../host/launch.ts";
import type { RpcHost } from "../host/rpc-host.ts";
import type { SessionLine } from "../host/session-files.ts";
import type { TerminalHost, TerminalOptions } from "../host/terminal-host.ts";
import { until } from "../host/until.ts";

/** The extension alone, as if a package filter excluded the others. */
const EXTENSION = join(PROJECT_ROOT, "session-title/index.ts");

export const TASK = "the login page redirects forever after the token expires, find out why";

const env = WITH_LOG;

export function titleHost(options: TerminalOptions = {}): Promise<TerminalHost> {
	return testHost({ extensions: [EXTENSION], ...options, env: { ...env, ...options.env } });
}

export function titleRpc(options: LaunchOptions = {}): Promise<RpcHost> {
	return testRpc({ extensions: [EXTENSION], env, ...options });
}

/** The answer to a title request. */
export const titled = (title: string) => say(`<topic>${title}</topic>`);

const decisions = (host: TerminalHost) =>
	logOf(host).filter((line) => /title\.skipped|title\.requested .*trigger="auto"/.test(line)).length;

/** Submits a prompt. Resolves when it is answered and the decision about a title is made. */
export async function ask(host: TerminalHost, prompt: string): Promise<void> {
	const before = decisions(host);
	host.submit(prompt);
	await until(() => decisions(host) > before, `"${prompt}" to be settled`, {
		detail: () => host.screen.picture(),
	});
}

/** The names in a session file, oldest first. */
export function namesOf(entries: readonly SessionLine[]): unknown[] {
	return entries.filter(({ type }) => type === "session_info").map(({ name }) => name);
}

export function recordsOf(entries: readonly SessionLine[]): unknown[] {
	return entries.filter(({ customType }) => customType === "session-suite:title").map(({ data }) => data);
}
