import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { canGo } from "../../session-core/live/go-to-terminal.ts";
import { type Lease, leasesOn, liveLeases } from "../../session-core/live/lease-files.ts";
import { placeHere } from "../../session-core/live/liveness.mjs";

/**
 * The leases of this instance of the extension. The host loads the extension anew for each session that it opens, so another session in
 * the same process correctly counts as another writer.
 */
const OWN = new Set<string>();

export const ownLeases: ReadonlySet<string> = OWN;

export function hold(instance: string): void {
	OWN.add(instance);
}

export function letGo(instance: string): void {
	OWN.delete(instance);
}

/** A session, identified by its file and, if known, by its id. */
export interface Wanted {
	sessionFile?: string | undefined;
	sessionId?: string | undefined;
}

/**
 * Returns the lease of another process, or of another session of this process, that has the session open. Also removes the leases of dead
 * processes.
 */
export function otherWriter(agentDir: string, wanted: Wanted, now: number): Lease | undefined {
	const leases = liveLeases(agentDir, now);
	// An empty id matches no lease.
	const sessionId = wanted.sessionId ?? "";
	const found = spellings(wanted.sessionFile).flatMap((sessionFile) =>
		leasesOn(leases, sessionFile === undefined ? { sessionId } : { sessionId, sessionFile }, ownLeases),
	);
	return found[0];
}

/** Returns the paths by which processes may refer to a file. */
function spellings(path: string | undefined): (string | undefined)[] {
	if (path === undefined) return [undefined];
	const absolute = resolve(path);
	try {
		return [...new Set([absolute, realpathSync(absolute)])];
	} catch {
		// The file does not exist, so this is its only path.
		return [absolute];
	}
}

/** A live session as other processes see it. */
export type LiveState = Pick<Lease, "pid" | "state" | "since" | "sessionId" | "sessionFile"> & {
	/** Whether this is the session that this instance of the extension has open. */
	own: boolean;
	/** Whether the session's terminal can be brought to the front. */
	canGo: boolean;
};

/** Returns the live sessions of all processes. */
export function liveStates(agentDir: string, now: number): LiveState[] {
	const leases = liveLeases(agentDir, now);
	const here = leases.length === 0 ? undefined : placeHere();
	return leases.map((lease) => {
		const { instance, pid, state, since, sessionId, sessionFile } = lease;
		return {
			pid,
			state,
			since,
			sessionId,
			...(sessionFile !== undefined && { sessionFile }),
			own: OWN.has(instance),
			canGo: here !== undefined && canGo(lease, here),
		};
	});
}

/** Returns the live state of a session, whichever process has it open. */
export function liveStateOf(
	live: readonly LiveState[],
	{ path, id }: { path: string; id: string },
): LiveState | undefined {
	return live.find((one) => one.sessionFile === path || one.sessionId === id);
}
