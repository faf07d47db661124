import { canGo } from "../../session-core/live-terminal/can-go.ts";
import { liveLeases } from "../../session-core/store/live.ts";
import { placeOf } from "../../session-core/store/machine.ts";
import { ownLeases } from "../live/own.ts";
import type { LiveState } from "./types.ts";

/** The live sessions of all processes, this session's own marked. */
export function liveStates(agentDir: string, now: number): LiveState[] {
	const leases = liveLeases(agentDir, now);
	const here = leases.length === 0 ? undefined : placeOf(agentDir);
	return leases.map((lease) => {
		const { instance, pid, state, since, sessionId, sessionFile } = lease;
		return {
			pid,
			state,
			since,
			sessionId,
			...(sessionFile !== undefined && { sessionFile }),
			own: ownLeases.has(instance),
			canGo: here !== undefined && canGo(lease, here),
		};
	});
}
