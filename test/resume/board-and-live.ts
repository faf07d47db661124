import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { registerBoard } from "../../session-resume/board/register.ts";
import { registerLive } from "../../session-resume/live/register.ts";

/** Board and leases alone, for the tests in this folder: nothing else of the package on the screen. */
export default function boardAndLive(pi: ExtensionAPI): void {
	registerBoard(pi);
	registerLive(pi);
}
