import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { createHub } from "../../session-core/hub/hub.ts";
import { registerBoard } from "../../session-resume/board/register.ts";
import { createPermits } from "../../session-resume/live/permits.ts";
import { registerLive } from "../../session-resume/live/register.ts";

/** Board and leases alone, for the tests in this folder: nothing else of the package on the screen. */
export default function boardAndLive(pi: ExtensionAPI): void {
	const hub = createHub(pi);
	const permits = createPermits();
	registerBoard(pi, hub, permits);
	registerLive(pi, hub, permits);
}
