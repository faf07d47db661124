// @ts-check
/**
 * Shell prompts wait for `pi-sessions status`, so this module is plain JavaScript without dependencies.
 */
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

/**
 * The state of a session that is open in a running pi process.
 * @typedef {"working" | "waiting" | "finished" | "failed" | "idle"} LeaseState
 */

/**
 * The content of a lease file, in which fields of type `unknown` have not been validated. `startedAt` is
 * the start time of the process in clock ticks since boot, from `/proc/PID/stat`.
 * @typedef {object} RawLease
 * @property {string} instance
 * @property {number} pid
 * @property {number} [startedAt]
 * @property {string} host
 * @property {string} sessionId
 * @property {string} [sessionFile]
 * @property {string} [cwd]
 * @property {LeaseState} state
 * @property {number} since
 * @property {boolean} [isInteractive]
 * @property {unknown} [terminal]
 * @property {unknown} [doing]
 * @property {unknown} [steps]
 * @property {unknown} [dialog]
 * @property {unknown} [changed]
 */

/**
 * `silent` means that the process has not renewed its lease for a while and cannot be checked from this
 * machine. The process may be suspended.
 * @typedef {"live" | "silent" | "dead"} Liveness
 */

/** The interval in milliseconds at which a live process renews its lease. */
export const HEARTBEAT_MS = 60_000;
/**
 * How long, in milliseconds, a lease stays valid after a heartbeat. The time is generous, because a
 * busy machine may delay heartbeats, and clocks can differ.
 */
const FRESH_MS = 4 * HEARTBEAT_MS;
/** A lease that has not been renewed for this many milliseconds is considered dead. */
const FORGOTTEN_MS = 24 * 60 * 60 * 1_000;
/** The maximum size of a lease file in bytes. The limit allows for a hundred long paths. */
const MAX_BYTES = 1024 * 1024;
/** Matches the names of lease files. Other files in the same folder must not be changed. */
const LEASE_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/;
const STATES = ["working", "waiting", "finished", "failed", "idle"];

/** @param {string} agentDir */
export function liveFolder(agentDir) {
	return join(agentDir, "session-suite", "live");
}

/**
 * Yields all leases in a folder, including leases of processes that have ended.
 * @param {string} folder
 * @param {number} now
 * @returns {Generator<{ path: string, lease: RawLease | undefined, liveness: Liveness }>}
 */
export function* storedLeases(folder, now) {
	for (const name of namesIn(folder)) {
		if (!LEASE_NAME.test(name)) continue;
		const path = join(folder, name);
		const read = readRaw(path);
		// Lease files are written atomically, so an invalid file is damaged and not just incomplete.
		const beatAt = read?.beatAt ?? lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
		yield {
			path,
			lease: read?.lease,
			// `liveness` is a getter, because looking up a process is slower than reading a lease.
			get liveness() {
				return livenessOf(read?.lease, Math.abs(now - beatAt));
			},
		};
	}
}

/**
 * Caches parsed leases, because all sessions read all leases after each edit in any session.
 * @type {Map<string, { ino: number, mtimeMs: number, lease: RawLease }>}
 */
const parsed = new Map();
const MOST_PARSED = 1_000;

/**
 * Reads a lease file. Returns undefined if the file is missing, damaged or not a regular file. `beatAt`
 * is the time of the last heartbeat.
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
		if (!isLease(lease)) return undefined;
		if (parsed.size >= MOST_PARSED) parsed.clear();
		parsed.set(path, { ino, mtimeMs, lease });
		return { lease, beatAt: mtimeMs };
	} catch {
		return undefined;
	}
}

/**
 * Returns true if the parsed content of a lease file has the required fields.
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
 * Determines whether the process that holds a lease is alive. Start times are compared, because process
 * ids are reused. If the process cannot be checked from this machine, the result depends on `age`, the
 * number of milliseconds since the last heartbeat.
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
 * Another user's process (EPERM) is considered alive, but a zombie process is not.
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
 * Returns undefined on systems without `/proc`. `terminal` is 0 if the process has no terminal. `ticks` is
 * the start time in clock ticks since boot.
 * @param {number} pid
 */
export function processStat(pid) {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
		// In `/proc/PID/stat`, the command is in parentheses and may itself contain spaces and parentheses.
		const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		const [parent = 0, terminal = 0, ticks = Number.NaN] = [1, 4, 19].map((index) => Number(fields[index]));
		return Number.isFinite(ticks) ? { state: fields[0], parent, terminal, ticks } : undefined;
	} catch {
		return undefined;
	}
}

/**
 * A folder that does not exist is considered empty.
 * @param {string} folder
 */
function namesIn(folder) {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}
