import { liveLeases } from "../../session-core/store/live.ts";
import { ownLeases } from "../live/own.ts";
import type { LiveState } from "./types.ts";

/** The live sessions of all processes, this session's own marked. */
export function liveStates(agentDir: string, now: number): LiveState[] {
	return liveLeases(agentDir, now).map(({ instance, pid, state, since, sessionId, sessionFile }) => ({
		pid,
		state,
		since,
		sessionId,
		...(sessionFile !== undefined && { sessionFile }),
		own: ownLeases.has(instance),
	}));
}
