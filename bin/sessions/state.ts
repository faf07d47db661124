import { type LeaseOf, leaseFinder, liveLeases, seenLeases } from "../../session-core/live/lease-files.ts";
import type { SessionState } from "../../session-core/session-view/view.ts";
import type { World } from "../shell/world.ts";

export const STATES = ["needs-you", "failed", "working", "idle", "closed", "live"] as const;

/** Reads the leases once, and removes those of dead processes unless `readOnly` is set. */
export function openSessions({
	agentDir,
	now,
	readOnly,
}: Pick<World, "agentDir" | "now" | "readOnly">): LeaseOf {
	return leaseFinder((readOnly ? seenLeases : liveLeases)(agentDir, now()));
}

/** Whether a session's state matches the value of the `--state` option, if one was given. */
export function isInState(state: SessionState, wanted: (typeof STATES)[number] | undefined): boolean {
	if (wanted === undefined) return true;
	return wanted === "live" ? state !== "closed" : state === wanted.replaceAll("-", "_");
}
