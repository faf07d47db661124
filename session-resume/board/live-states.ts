import { canGo } from "../../session-core/live/go-to-terminal.ts";
import { type Lease, liveLeases, placeOf } from "../../session-core/live/lease.ts";
import { ownLeases } from "../live/writers.ts";
import type { Row } from "./row.ts";

/** A live session as others see it. */
export type LiveState = Pick<Lease, "pid" | "state" | "since" | "sessionId" | "sessionFile"> & {
	/** It is the session that is open here. */
	own: boolean;
	/** Its terminal can be brought to the front. */
	canGo: boolean;
};

/** The live sessions of all processes. */
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

/** The live state of a session, whichever process has it open. */
export function liveStateOf(
	live: readonly LiveState[],
	{ path, id }: Pick<Row, "path" | "id">,
): LiveState | undefined {
	return live.find((one) => one.sessionFile === path || one.sessionId === id);
}
