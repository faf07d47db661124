import { join } from "node:path";
import { testHost, testRpc } from "../host/in-test.ts";
import { type LaunchOptions, PROJECT_ROOT } from "../host/launch.ts";
import type { RpcHost } from "../host/rpc-host.ts";
import type { TerminalHost, TerminalOptions } from "../host/terminal-host.ts";

/** The extension alone. */
export const RESUME = [join(PROJECT_ROOT, "session-resume")];
/** This extension and session-recap, in the order in which the package lists them. */
export const WITH_RECAP = [join(PROJECT_ROOT, "session-resume"), join(PROJECT_ROOT, "session-recap")];

/** A host in a terminal; by default with only this extension. */
export function resumeHost(options: TerminalOptions = {}): Promise<TerminalHost> {
	return testHost({ extensions: RESUME, rows: 50, ...options });
}

/** A host in RPC mode with only this extension. */
export function resumeRpc(options: LaunchOptions = {}): Promise<RpcHost> {
	return testRpc({ extensions: RESUME, ...options });
}

/** The records in a session's lines, oldest first. */
export function recordsIn(
	lines: readonly { type: string; [field: string]: unknown }[],
): Record<string, unknown>[] {
	return lines
		.filter((line) => line.type === "custom" && line["customType"] === "session-suite:recap")
		.map((line) => line["data"] as Record<string, unknown>);
}
