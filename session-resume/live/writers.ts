import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Lease } from "../../session-core/store/lease.ts";
import { leasesOn, liveLeases } from "../../session-core/store/live.ts";
import { ownLeases } from "./own.ts";

/** A session as whoever wants to open it knows it: by its file, and by its id if that was read. */
export interface Wanted {
	sessionFile?: string | undefined;
	sessionId?: string | undefined;
}

/** Where else this session is open, if it is: in another process, or in another session of this one. Sweeps the leases of dead ones on the way. */
export function otherWriter(agentDir: string, wanted: Wanted, now: number): Lease | undefined {
	return otherWriters(agentDir, wanted, now)[0];
}

/** All of them. */
export function otherWriters(agentDir: string, wanted: Wanted, now: number): Lease[] {
	const leases = liveLeases(agentDir, now);
	// An empty id is nobody's.
	const sessionId = wanted.sessionId ?? "";
	const found = spellings(wanted.sessionFile).flatMap((sessionFile) =>
		leasesOn(leases, sessionFile === undefined ? { sessionId } : { sessionId, sessionFile }, ownLeases),
	);
	return [...new Set(found)];
}

/** The ways in which two processes may name one file. */
function spellings(path: string | undefined): (string | undefined)[] {
	if (path === undefined) return [undefined];
	const absolute = resolve(path);
	try {
		return [...new Set([absolute, realpathSync(absolute)])];
	} catch {
		// Not written yet, or gone: then it has only the one name.
		return [absolute];
	}
}
