import { testHost } from "../host/in-test.ts";
import type { TerminalHost, TerminalOptions } from "../host/terminal-host.ts";

export function resumeHost(options: TerminalOptions = {}): Promise<TerminalHost> {
	return testHost({ extensions: ["session-resume"], rows: 50, ...options });
}

export function recordsIn(
	lines: readonly { type: string; [field: string]: unknown }[],
): Record<string, unknown>[] {
	return lines
		.filter((line) => line.type === "custom" && line["customType"] === "session-suite:recap")
		.map((line) => line["data"] as Record<string, unknown>);
}
