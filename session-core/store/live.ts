import { lstatSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { isAbandoned, isTemporary } from "./atomic-file.ts";
import { HEARTBEAT_MS, type Lease, liveFolder, readLease, type StoredLease } from "./lease.ts";
import { bootTime, isSameBoot, knownPlaceOf, type Place, placeOf } from "./machine.ts";
import { isAlive, startTicks } from "./process.ts";

/** What is asked about this machine; a parameter, so that other machines and the death of processes can be tried. */
export interface Here extends Place {
	/** When this machine was started, in milliseconds since the epoch. */
	bootedAt: number;
	isAlive(pid: number): boolean;
	startTicks(pid: number): number | undefined;
}

/** `silent`: its process cannot be looked up, and it has given no sign of life for a while. It may be suspended. */
type Liveness = "live" | "silent" | "dead";

/** Heartbeats that may be missed, by a machine that was busy or whose clock is another. */
const FRESH_MS = 4 * HEARTBEAT_MS;
/** A lease that was silent for this long is removed, and so is a damaged one. In milliseconds. */
const FORGOTTEN_MS = 24 * 60 * 60 * 1_000;
/** Clocks differ, and file systems round times. */
const CLOCK_MS = 60_000;

/** Names of lease files: the instance's id. Anything else in the folder is not ours to touch. */
const LEASE_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/;

/** This machine as it is. */
export function here(agentDir: string, now: number): Here {
	return hereAt(placeOf(agentDir), now);
}

function hereAt(place: Place, now: number): Here {
	return { ...place, bootedAt: bootTime(now), isAlive, startTicks };
}

/** The leases of sessions that are open. Those of dead ones, and what they left half written, are removed. */
export function liveLeases(agentDir: string, now: number, at?: Here): Lease[] {
	return leasesIn(agentDir, now, { here: () => at ?? here(agentDir, now), remove });
}

/** The same, with nothing removed or written. */
export function seenLeases(agentDir: string, now: number): Lease[] {
	const known = () => hereAt(knownPlaceOf(agentDir), now);
	return leasesIn(agentDir, now, { here: known, remove: () => undefined });
}

function leasesIn(agentDir: string, now: number, at: { here(): Here; remove(path: string): void }): Lease[] {
	const folder = liveFolder(agentDir);
	const live: Lease[] = [];
	let known: Here | undefined;
	for (const name of namesIn(folder)) {
		const path = join(folder, name);
		if (isTemporary(name)) {
			if (isAbandoned(path, now)) at.remove(path);
			continue;
		}
		if (!LEASE_NAME.test(name)) continue;
		const stored = readLease(path);
		known ??= at.here();
		const liveness = stored ? livenessOf(stored, now, known) : livenessOfDamaged(path, now);
		if (liveness === "dead") at.remove(path);
		else if (stored && liveness === "live") live.push(stored.lease);
	}
	return live;
}

/** The live leases on a session, but for those that are one's own. */
export function leasesOn(
	leases: Lease[],
	session: { sessionId: string; sessionFile?: string },
	own: ReadonlySet<string>,
): Lease[] {
	return leases.filter(
		(lease) =>
			!own.has(lease.instance) &&
			(lease.sessionId === session.sessionId ||
				(session.sessionFile !== undefined && lease.sessionFile === session.sessionFile)),
	);
}

/** Whether a session is open, by its process where that can be looked up, else by its signs of life. */
function livenessOf({ lease, beatAt }: StoredLease, now: number, here: Here): Liveness {
	const isHere = lease.machine === here.machine;
	const isThisBoot = isSameBoot(lease.boot, here.boot);
	if (isHere && isThisBoot && lease.pidSpace === here.pidSpace) {
		if (!here.isAlive(lease.pid)) return "dead";
		const started = here.startTicks(lease.pid);
		// Without start times, the id may be another process's by now: that one does not keep this lease alive.
		if (started === undefined || lease.startedAt === undefined) return bySign(beatAt, now);
		return started === lease.startedAt ? "live" : "dead";
	}
	// Machines made from one image share an id; one of them that runs still has given a sign since this one was started.
	if (isHere && !isThisBoot && beatAt < here.bootedAt - CLOCK_MS) return "dead";
	return bySign(beatAt, now);
}

function bySign(beatAt: number, now: number): Liveness {
	// A clock that was put back makes signs of the future.
	const age = Math.abs(now - beatAt);
	if (age < FRESH_MS) return "live";
	return age > FORGOTTEN_MS ? "dead" : "silent";
}

/** Leases are put in place whole, so this is no lease being written: a disk fault, or another program. */
function livenessOfDamaged(path: string, now: number): Liveness {
	const stat = lstatSync(path, { throwIfNoEntry: false });
	return stat?.isFile() && Math.abs(now - stat.mtimeMs) > FORGOTTEN_MS ? "dead" : "silent";
}

/** An instance's file never becomes another's, so this takes nobody's place; one that lives after all writes it again. */
function remove(path: string): void {
	try {
		unlinkSync(path);
	} catch {
		// Another process was faster, or the folder is read-only: a dead lease is not listed either way.
	}
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		// Nobody has claimed anything yet.
		return [];
	}
}
