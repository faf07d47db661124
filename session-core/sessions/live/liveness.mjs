// @ts-check
/**
 * Reads leases and determines whether their processes are alive. This is plain JavaScript without dependencies, because a shell prompt
 * waits for `pi-sessions status`. The extensions and the rest of the shell command use the same code.
 */
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

/** @import { Liveness, RawLease } from "./lease-files.ts" */

/** Milliseconds between two renewals of a lease. Renewing the lease is the only thing that an idle session does. */
export const HEARTBEAT_MS = 60_000;
/** Milliseconds for which a renewal is valid. A few may be missed, because machines can be busy and clocks can differ. */
const FRESH_MS = 4 * HEARTBEAT_MS;
/** A lease that has not been renewed for this many milliseconds counts as dead, and so does a damaged file that has not changed. */
const FORGOTTEN_MS = 24 * 60 * 60 * 1_000;
/** Maximum size of a lease file in bytes: normally a few hundred, but it may name a hundred long paths. */
const MAX_BYTES = 1024 * 1024;
/** Matches the name of a lease file, which is the id of the lease's instance. Other files in the folder must not be touched. */
const LEASE_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/;
const STATES = ["working", "waiting", "finished", "failed", "idle"];

/** @param {string} agentDir */
export function liveFolder(agentDir) {
	return join(agentDir, "session-suite", "live");
}

/**
 * Yields the lease files in a folder, and whether the session of each lease is open.
 * @param {string} folder
 * @param {number} now
 * @returns {Generator<{ path: string, lease: RawLease | undefined, liveness: Liveness }>}
 */
export function* storedLeases(folder, now) {
	for (const name of namesIn(folder)) {
		if (!LEASE_NAME.test(name)) continue;
		const path = join(folder, name);
		const read = readRaw(path);
		// Leases are created atomically, so a damaged lease is not merely incomplete.
		const beatAt = read?.beatAt ?? lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
		yield {
			path,
			lease: read?.lease,
			// Determined only on demand, because looking up the process takes longer than reading the lease.
			get liveness() {
				return livenessOf(read?.lease, Math.abs(now - beatAt));
			},
		};
	}
}

/**
 * The leases that were read last, because all sessions look at all leases after each edit in any session.
 * @type {Map<string, { ino: number, mtimeMs: number, lease: RawLease }>}
 */
const parsed = new Map();
const MOST_PARSED = 1_000;

/**
 * Reads a lease file. Returns undefined if it is missing, damaged or not a regular file. `beatAt`: when the lease was last renewed.
 * @param {string} path
 * @returns {{ lease: RawLease, beatAt: number } | undefined}
 */
export function readRaw(path) {
	try {
		const stat = lstatSync(path);
		if (!stat.isFile() || stat.size > MAX_BYTES) return undefined;
		const { ino, mtimeMs } = stat;
		const before = parsed.get(path);
		if (before?.ino === ino && before.mtimeMs === mtimeMs) return { lease: before.lease, beatAt: mtimeMs };
		const lease = JSON.parse(readFileSync(path, "utf8"));
		// A pi that has been running since before the update still writes this old name of the state.
		if (lease?.state === "needs_you") lease.state = "waiting";
		if (!isLease(lease)) return undefined;
		if (parsed.size >= MOST_PARSED) parsed.clear();
		parsed.set(path, { ino, mtimeMs, lease });
		return { lease, beatAt: mtimeMs };
	} catch {
		// The file was removed in the meantime, or is damaged.
		return undefined;
	}
}

/**
 * @param {any} lease
 * @returns {lease is RawLease}
 */
function isLease(lease) {
	if (typeof lease !== "object" || lease === null || Array.isArray(lease)) return false;
	const isText = (/** @type {string} */ name) => typeof lease[name] === "string";
	const isAbsent = (/** @type {string} */ name) => lease[name] === undefined;
	return (
		["instance", "host", "sessionId"].every(isText) &&
		["sessionFile", "cwd"].every((name) => isAbsent(name) || isText(name)) &&
		(isAbsent("isInteractive") || typeof lease.isInteractive === "boolean") &&
		(isAbsent("startedAt") || Number.isFinite(lease.startedAt)) &&
		Number.isSafeInteger(lease.pid) &&
		lease.pid > 0 &&
		STATES.includes(lease.state) &&
		Number.isFinite(lease.since)
	);
}

/**
 * Determines whether a session is open: from its process if that can be looked up from here, otherwise from `age`, the milliseconds since
 * its lease was renewed. Without a start time, a later process could have the same id.
 * @param {RawLease | undefined} lease
 * @param {number} age
 * @returns {Liveness}
 */
function livenessOf(lease, age) {
	if (lease?.host === hostname()) {
		if (!isAlive(lease.pid)) return "dead";
		const started = processStat(lease.pid)?.ticks;
		if (started !== undefined && lease.startedAt !== undefined)
			return started === lease.startedAt ? "live" : "dead";
	}
	if (lease && age < FRESH_MS) return "live";
	return age > FORGOTTEN_MS ? "dead" : "silent";
}

/**
 * Another user's process (EPERM) counts as running; a process that was killed but not reaped does not.
 * @param {number} pid
 */
export function isAlive(pid) {
	try {
		process.kill(pid, 0);
	} catch (error) {
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
	return processStat(pid)?.state !== "Z";
}

/**
 * Reads `/proc/PID/stat`; undefined without `/proc`. `terminal`: 0 if the process has none. `ticks`: its start in clock ticks since boot,
 * which distinguishes it from a later process with the same id, even after a restart of the machine.
 * @param {number} pid
 */
export function processStat(pid) {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
		// The second field is the command in parentheses. The command itself may contain spaces and parentheses.
		const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		const [parent = 0, terminal = 0, ticks = Number.NaN] = [1, 4, 19].map((index) => Number(fields[index]));
		return Number.isFinite(ticks) ? { state: fields[0], parent, terminal, ticks } : undefined;
	} catch {
		// This platform has no such file, the process has ended, or a container hides it.
		return undefined;
	}
}

/**
 * Returns the names in a folder, which may not have been created yet, or may just have been removed.
 * @param {string} folder
 */
export function namesIn(folder) {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}
