import { join } from "node:path";
import { testHost, testRpc } from "../host/in-test.ts";
import { PROJECT_ROOT } from "../host/launch.ts";
import type { RpcHost } from "../host/rpc-host.ts";
import type { TerminalHost, TerminalOptions } from "../host/terminal-host.ts";

/** Only this extension, because the card of the others replaces the recap. */
const RECAP_ONLY = { extensions: [join(PROJECT_ROOT, "session-recap/index.ts")] };

/** A terminal host with only this extension; it ends with the running test. */
export function recapHost(options: TerminalOptions = {}): Promise<TerminalHost> {
	return testHost({ ...RECAP_ONLY, ...options });
}

/** The recap on the screen, from its title to the editor; empty if there is none. */
export function recapText(host: TerminalHost): string {
	const rows = host.screen.rows();
	const first = rows.findIndex((row) => row.includes("✦ recap"));
	const end = rows.findIndex((row, index) => index > first && row.startsWith("──"));
	return first < 0 ? "" : rows.slice(first, end).join(" ");
}

/** An RPC host with only this extension; it ends with the running test. */
export function recapRpc(options: Parameters<typeof testRpc>[0] = {}): Promise<RpcHost> {
	return testRpc({ ...RECAP_ONLY, ...options });
}
