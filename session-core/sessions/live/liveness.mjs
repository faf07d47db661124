// @ts-check
/**
 * Reads leases and determines whether their processes are alive. This module is written in plain JavaScript without dependencies so that it
 * loads quickly, because a shell prompt waits for `pi-sessions status`. The extensions and the rest of the shell command use the same code.
 */
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

/** @import { Liveness, RawLease } from "./lease-files.ts" */

/** Number of milliseconds between two renewals of a lease. Renewing the lease is the only thing that an idle session does. */
export const HEARTBEAT_MS = 60_000;
/**
 * Number of milliseconds for which a renewal of a lease is valid. A few renewals may be missed within this time, because machines can be
 * busy and clocks can differ.
 */
const FRESH_MS = 4 * HEARTBEAT_MS;
/** A lease that has not been renewed for this many milliseconds counts as dead, and so does a damaged lease file that has not changed. */
const FORGOTTEN_MS = 24 * 60 * 60 * 1_000;
/** Maximum size of a lease file in bytes. A lease file normally has a few hundred bytes, but may name a hundred long paths. */
const MAX_BYTES = 1024 * 1024;
/** Matches the name of a lease file, which is the id of the lease's instance. Other files in the folder must not be touched. */
const LEASE_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/;
const STATES = ["working", "waiting", "finished", "failed", "idle"];

/**
 * Returns the folder that contains the leases.
 * @param {string} agentDir
 */
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
 * A cache of the leases that were read last. The cache is needed because all sessions look at all leases after each edit in any session.
 * @type {Map<string, { ino: number, mtimeMs: number, lease: RawLease }>}
 */
const parsed = new Map();
const MOST_PARSED = 1_000;

/**
 * Reads a lease file. Returns undefined if it is missing, damaged or not a regular file. `beatAt`: when the lease was last renewed by writing
 * or touching its file.
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
 * Whether a parsed file has the fields of a lease.
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
 * Determines whether a session is open: from its process if that can be looked up from here, otherwise from `age`, the number of
 * milliseconds since the last renewal of its lease. Without a start time, a later process could have the same id.
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
 * Whether a process with this id is running. A process of another user (EPERM) counts as running; a process that was killed but not
 * reaped does not.
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
 * Returns what `/proc/PID/stat` says about a process; undefined without `/proc`. `terminal`: the number of its terminal; 0 if it has none.
 * `ticks`: when it started, in clock ticks since boot (field 22), which distinguishes it from a later process with the same id, even after a
 * restart of the machine.
 * @param {number} pid
 */
export function processStat(pid) {
	const stat = textIn(`/proc/${pid}/stat`);
	// The second field is the command in parentheses. The command itself may contain spaces and parentheses.
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	const ticks = Number(fields[19]);
	if (stat === "" || !Number.isFinite(ticks)) return undefined;
	return { state: fields[0], parent: Number(fields[1]), terminal: Number(fields[4]), ticks };
}

/**
 * Returns the text of a small system file without its newline; empty if there is no such file.
 * @param {string} path
 */
function textIn(path) {
	try {
		return readFileSync(path, "latin1").trim();
	} catch {
		// The file does not exist on this platform, the process has ended, or a container hides it.
		return "";
	}
}

/** @param {string} folder */
function namesIn(folder) {
	try {
		return readdirSync(folder);
	} catch {
		// The folder does not exist, because no session has been opened yet.
		return [];
	}
}
