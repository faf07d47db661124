import { type TerminalHost, type TerminalOptions, testHost } from "../host/index.ts";

/** A terminal host with only this extension, because the card of the others replaces the recap. */
export function recapHost(options: TerminalOptions = {}): Promise<TerminalHost> {
	return testHost({ extensions: ["session-recap"], ...options });
}

export function recapText(host: TerminalHost): string {
	const rows = host.screen.rows();
	const first = rows.findIndex((row) => row.includes("✦ recap"));
	const end = rows.findIndex((row, index) => index > first && row.startsWith("──"));
	return first < 0 ? "" : rows.slice(first, end).join(" ");
}
