import type { TerminalHost } from "../host/terminal-host.ts";
import { until } from "../host/until.ts";

/**
 * Resolves when the extension listens to the terminal, which is after the host's first paint. In
 * fullscreen mode, which turns the mouse on, the host itself requests focus reports before that.
 */
export function attached(host: TerminalHost): Promise<unknown> {
	return until(
		() => {
			// The terminal emulator parses output some time after its arrival, and reports no focus before
			// that.
			const { mouseTrackingMode, sendFocusMode } = host.screen.modes();
			const askers = mouseTrackingMode === "none" ? 1 : 2;
			return sendFocusMode && host.focusSwitches().endsWith("h".repeat(askers));
		},
		{ what: "focus reports to be on", detail: () => host.focusSwitches() },
	);
}
