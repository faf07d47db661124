import { join } from "node:path";
import { testHost, testRpc } from "../host/in-test.ts";
import { PROJECT_ROOT } from "../host/launch.ts";
import type { RpcHost } from "../host/rpc-host.ts";
import type { TerminalHost, TerminalOptions } from "../host/terminal-host.ts";

/** The extension alone, as users have it who filter the package: with the others it gives way to the card. */
export const RECAP_ONLY = { extensions: [join(PROJECT_ROOT, "session-recap/index.ts")] };

/** A host in a terminal with this extension, which ends with the running test. */
export function recapHost(options: TerminalOptions = {}): Promise<TerminalHost> {
	return testHost({ ...RECAP_ONLY, ...options });
}

/** What the recap says on the screen, from its title to the editor: nothing of the transcript. Empty: there is none. */
export function recapText(host: TerminalHost): string {
	const rows = host.screen.rows();
	const first = rows.findIndex((row) => row.includes("✦ recap"));
	const end = rows.findIndex((row, index) => index > first && row.startsWith("──"));
	return first < 0 ? "" : rows.slice(first, end).join(" ");
}

/** A host in RPC mode with this extension, which ends with the running test. */
export function recapRpc(options: Parameters<typeof testRpc>[0] = {}): Promise<RpcHost> {
	return testRpc({ ...RECAP_ONLY, ...options });
}
