import { liveLeases } from "../../session-core/store/live.ts";
import type { LiveState } from "./types.ts";

/** The live sessions of all processes, this one's marked. */
export function liveStates(agentDir: string, now: number): LiveState[] {
	return liveLeases(agentDir, now).map(({ pid, state, since, sessionId, sessionFile }) => ({
		pid,
		state,
		since,
		sessionId,
		...(sessionFile !== undefined && { sessionFile }),
		own: pid === process.pid,
	}));
}
