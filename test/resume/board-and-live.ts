import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { createHub } from "../../session-core/pi/hub.ts";
import { registerSessions } from "../../session-resume/index.ts";

/** Loads only the board and the leases, so that nothing else from the package is on the screen. */
export default function boardAndLive(pi: ExtensionAPI): void {
	registerSessions(pi, createHub(pi));
}
