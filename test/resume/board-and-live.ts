import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { createHub } from "../../session-core/pi/hub.ts";
import { registerSessions } from "../../session-resume/index.ts";

/** The board and the leases alone, so that nothing else of the package is on the screen. */
export default function boardAndLive(pi: ExtensionAPI): void {
	registerSessions(pi, createHub(pi));
}
