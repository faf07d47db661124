import { type TerminalHost, type TerminalOptions, testHost } from "../host/index.ts";

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
