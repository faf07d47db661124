import { readdirSync, unlinkSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { temporaryOwner } from "./atomic-file.ts";
import { type Lease, liveFolder, readLease } from "./lease.ts";
import { isAlive, startTicks } from "./process.ts";

/** A lease of another machine cannot be verified; it is believed for this long after its last change. In milliseconds. */
const FOREIGN_MS = 24 * 60 * 60 * 1000;

/** What is asked about processes; a parameter, so that death and reuse of ids can be tried without dying. */
export interface Processes {
	host: string;
	isAlive(pid: number): boolean;
	startTicks(pid: number): number | undefined;
}

const REAL: Processes = { host: hostname(), isAlive, startTicks };

/** The leases of processes that live. Those of dead ones, and what they left half written, are removed. */
export function liveLeases(agentDir: string, now: number, processes: Processes = REAL): Lease[] {
	const folder = liveFolder(agentDir);
	const live: Lease[] = [];
	for (const name of namesIn(folder)) {
		const path = join(folder, name);
		const pid = /^(\d+)\.json$/.exec(name)?.[1];
		const owner = pid === undefined ? temporaryOwner(name) : Number(pid);
		// Anything else in the folder is not ours to touch.
		if (owner === undefined) continue;
		const lease = pid === undefined ? undefined : readLease(path);
		if (lease && lease.pid === owner && holds(lease, now, processes)) live.push(lease);
		else if (lease || !processes.isAlive(owner)) sweep(path, lease);
	}
	return live;
}

/** The live lease on a session, if another process has it open. */
export function leaseOf(
	leases: Lease[],
	session: { sessionId: string; sessionFile?: string },
): Lease | undefined {
	return leases.find(
		(lease) =>
			lease.pid !== process.pid &&
			(lease.sessionId === session.sessionId ||
				(session.sessionFile !== undefined && lease.sessionFile === session.sessionFile)),
	);
}

function holds(lease: Lease, now: number, processes: Processes): boolean {
	if (lease.host !== processes.host) return now - lease.since < FOREIGN_MS;
	if (!processes.isAlive(lease.pid)) return false;
	const started = processes.startTicks(lease.pid);
	return started === undefined || lease.startedAt === undefined || started === lease.startedAt;
}

/** Removes a dead lease, unless a new process with the same id has put its own in this place meanwhile. */
function sweep(path: string, dead: Lease | undefined): void {
	const standing = dead && readLease(path);
	if (dead && standing?.startedAt !== dead.startedAt) return;
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
