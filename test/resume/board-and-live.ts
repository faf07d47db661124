import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { createHub } from "../../session-core/pi/hub.ts";
import { registerSessions } from "../../session-resume/index.ts";

/** Board and leases alone, for the tests in this folder: nothing else of the package on the screen. */
export default function boardAndLive(pi: ExtensionAPI): void {
	registerSessions(pi, createHub(pi));
}
