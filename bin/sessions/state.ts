import type { Lease, LeaseState } from "../../session-core/store/lease.ts";
import { liveLeases, seenLeases } from "../../session-core/store/live.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";
import type { World } from "../shell/world.ts";

/** What a session does now. `closed`: no process has it open. */
export type SessionState = LeaseState | "closed";

export const STATES = ["needs-you", "failed", "working", "idle", "closed", "live"] as const;

/** The processes that have sessions open, by session. */
export class LiveSessions {
	readonly #byFile = new Map<string, Lease>();
	readonly #byId = new Map<string, Lease>();

	/** What dead processes left is removed, unless nothing is to be written. */
	constructor({ agentDir, now, readOnly }: Pick<World, "agentDir" | "now" | "readOnly">) {
		for (const lease of (readOnly ? seenLeases : liveLeases)(agentDir, now())) {
			this.#byId.set(lease.sessionId, lease);
			if (lease.sessionFile !== undefined) this.#byFile.set(lease.sessionFile, lease);
		}
	}

	/** The process that has this session open. */
	of({ path, id }: Pick<SessionSummary, "path" | "id">): Lease | undefined {
		return this.#byFile.get(path) ?? this.#byId.get(id);
	}
}

/** Whether a session is in the state that was asked for, as options name it. */
export function isInState(state: SessionState, wanted: (typeof STATES)[number] | undefined): boolean {
	if (wanted === undefined) return true;
	return wanted === "live" ? state !== "closed" : state.replace("_", "-") === wanted;
}
