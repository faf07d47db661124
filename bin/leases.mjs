// What live sessions do, read as session-core/store/live.ts reads it, which a test holds it to: in plain JavaScript, because a
// prompt waits for it. Reads only: what dead processes left is swept by others.
import { createHmac } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";

const LEASE_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/;
const STATES = ["working", "needs_you", "idle", "failed"];
const MAX_BYTES = 64 * 1024;
const FRESH_MS = 4 * 60_000;
const BOOT_TOLERANCE = 60;

/** How many live sessions are in each state. */
export function countStates(agentDir, now = Date.now()) {
	const counts = { needs_you: 0, failed: 0, working: 0, idle: 0 };
	const folder = join(agentDir, "session-suite", "live");
	let here;
	for (const name of namesIn(folder)) {
		if (!LEASE_NAME.test(name)) continue;
		const found = readLease(join(folder, name));
		if (!found) continue;
		here ??= placeHere(agentDir, now);
		if (isLive(found, now, here)) counts[found.lease.state]++;
	}
	return counts;
}

function isLive({ lease, beatAt }, now, here) {
	const isFresh = Math.abs(now - beatAt) < FRESH_MS;
	if (lease.machine !== here.machine) return isFresh;
	const isThisBoot =
		lease.boot === here.boot || Math.abs(Number(lease.boot) - Number(here.boot)) <= BOOT_TOLERANCE;
	if (isThisBoot && lease.pidSpace === here.pidSpace) {
		const process = statOf(lease.pid);
		if (!isAlive(lease.pid) || process?.state === "Z") return false;
		if (process === undefined || lease.startedAt === undefined) return isFresh;
		return process.ticks === lease.startedAt;
	}
	return isFresh && (isThisBoot || beatAt >= here.bootedAt - 60_000);
}

function readLease(path) {
	try {
		const stat = lstatSync(path);
		if (!stat.isFile() || stat.size > MAX_BYTES) return undefined;
		const lease = JSON.parse(readFileSync(path, "utf8"));
		return isLease(lease) ? { lease, beatAt: stat.mtimeMs } : undefined;
	} catch {
		// Gone meanwhile, or damaged: nobody's lease.
		return undefined;
	}
}

function isLease(lease) {
	if (typeof lease !== "object" || lease === null || Array.isArray(lease)) return false;
	const isText = (name) => typeof lease[name] === "string";
	const maybe = (name, type) => lease[name] === undefined || typeof lease[name] === type;
	return (
		["instance", "machine", "boot", "host", "sessionId"].every(isText) &&
		["pidSpace", "sessionFile", "cwd"].every((name) => maybe(name, "string")) &&
		maybe("startedAt", "number") &&
		Number.isSafeInteger(lease.pid) &&
		lease.pid > 0 &&
		STATES.includes(lease.state) &&
		Number.isFinite(lease.since)
	);
}

/** As session-core/store/machine.ts tells it. */
function placeHere(agentDir, now) {
	const id = factIn("/etc/machine-id") || factIn("/var/lib/dbus/machine-id");
	const bootedAt = now - uptime() * 1_000;
	return {
		machine: id === "" ? keptId(agentDir) : hashed(id),
		boot: factIn("/proc/sys/kernel/random/boot_id") || String(Math.round(bootedAt / 1_000)),
		pidSpace: pidNamespace(),
		bootedAt,
	};
}

function hashed(id) {
	return createHmac("sha256", id).update("pi-session-suite").digest("hex").slice(0, 16);
}

/** Of a machine without an id, the one that was made up for it, if it was. */
function keptId(agentDir) {
	return /^([0-9a-f]{16})$/.exec(factIn(join(agentDir, "session-suite", "machine")))?.[1];
}

function pidNamespace() {
	try {
		return readlinkSync("/proc/self/ns/pid");
	} catch {
		// Not Linux.
		return undefined;
	}
}

function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === "EPERM";
	}
}

function statOf(pid) {
	const stat = factIn(`/proc/${pid}/stat`);
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	const ticks = Number(fields[19]);
	return stat === "" || !Number.isFinite(ticks) ? undefined : { state: fields[0], ticks };
}

function factIn(path) {
	try {
		return readFileSync(path, "latin1").trim();
	} catch {
		// Another platform, or not there.
		return "";
	}
}

function namesIn(folder) {
	try {
		return readdirSync(folder);
	} catch {
		// Nobody has claimed anything yet.
		return [];
	}
}
