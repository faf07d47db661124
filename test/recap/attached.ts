import type { TerminalHost } from "../host/terminal-host.ts";
import { until } from "../host/until.ts";

/** The extension starts after the host's first paint; from here on it hears the terminal. */
export function attached(host: TerminalHost): Promise<unknown> {
	return until(() => host.lastFocusSwitch() === "h", { what: "focus reports to be on" });
}
