import type { SessionSummary } from "../../session-core/catalog/summary.ts";
import { type Lease, liveLeases, seenLeases } from "../../session-core/live/lease.ts";
import type { SessionState } from "../../session-core/session-view/view.ts";
import type { World } from "../shell/world.ts";

export const STATES = ["needs-you", "failed", "working", "idle", "closed", "live"] as const;

/** Finds the process that has a session open. */
export type LeaseOf = (session: Pick<SessionSummary, "path" | "id">) => Lease | undefined;

/** Finds a lease by the session's file, else by its id. Of several leases, the first counts. */
export function leaseFinder(leases: readonly Lease[]): LeaseOf {
	const byKey = new Map<string, Lease>();
	for (const lease of leases.toReversed()) {
		byKey.set(lease.sessionId, lease);
		if (lease.sessionFile !== undefined) byKey.set(lease.sessionFile, lease);
	}
	return ({ path, id }) => byKey.get(path) ?? byKey.get(id);
}

/** Reads the leases once, and removes those of dead processes unless nothing may be written. */
export function openSessions({
	agentDir,
	now,
	readOnly,
}: Pick<World, "agentDir" | "now" | "readOnly">): LeaseOf {
	return leaseFinder((readOnly ? seenLeases : liveLeases)(agentDir, now()));
}

/** Whether a session is in the state that an option names. */
export function isInState(state: SessionState, wanted: (typeof STATES)[number] | undefined): boolean {
	if (wanted === undefined) return true;
	return wanted === "live" ? state !== "closed" : state === wanted.replaceAll("-", "_");
}
