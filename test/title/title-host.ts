import { say } from "../host/answer.ts";
import { logOf, WITH_LOG } from "../host/debug-log.ts";
import { testHost } from "../host/in-test.ts";
import type { SessionLine } from "../host/session-files.ts";
import type { TerminalHost, TerminalOptions } from "../host/terminal-host.ts";
import { until } from "../host/until.ts";

export const TASK = "the login page redirects forever after the token expires, find out why";

export function titleHost(options: TerminalOptions = {}): Promise<TerminalHost> {
	return testHost({ extensions: ["session-title"], env: WITH_LOG, ...options });
}

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

export function namesOf(entries: readonly SessionLine[]): unknown[] {
	return entries.filter(({ type }) => type === "session_info").map(({ name }) => name);
}

export function recordsOf(entries: readonly SessionLine[]): unknown[] {
	return entries.filter(({ customType }) => customType === "session-suite:title").map(({ data }) => data);
}
