/**
 * Some agents write a `<pid>.json` file for each of their processes. The file remains after a crash, so
 * this module also checks whether the process is running.
 */
import { execFileSync } from "node:child_process";
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { type Env, FOREIGN, type Format, foldersIn } from "../../log/index.ts";
import { type JsonObject, namesIn, parseObject, readTime, smallFile, textOf } from "../../text/index.ts";
import { type Lease, liveLeases } from "./lease-files.ts";
import { isAlive, type LeaseState, processStat } from "./liveness.mjs";

interface OtherAgents {
	env?: Env | undefined;
	formats?: readonly Format[] | undefined;
}

export function openLeases(
	agentDir: string,
	now: number,
	{ env = process.env, formats = FOREIGN }: OtherAgents = {},
): Lease[] {
	const others = formats.flatMap((format) => {
		const { open } = foldersIn(format, env);
		return open === undefined ? [] : othersIn(open, format.name);
	});
	return [...liveLeases(agentDir, now), ...others];
}

const MAX_BYTES = 64 * 1024;

function othersIn(folder: string, program: string): Lease[] {
	return namesIn(folder).flatMap((name) => {
		if (!/^\d{1,10}\.json$/.test(name)) return [];
		const read = smallFile(join(folder, name), MAX_BYTES);
		const record = read.ok ? parseObject(read.text) : undefined;
		const lease = record && leaseIn(record, program);
		return lease && isRunning(lease.pid, record) ? [lease] : [];
	});
}

const STATES: Readonly<Record<string, LeaseState>> = { busy: "working", waiting: "waiting" };

function leaseIn(record: JsonObject, program: string): Lease | undefined {
	const { pid, sessionId, cwd, status, kind, statusUpdatedAt, updatedAt, startedAt } = record;
	if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid < 2) return undefined;
	if (typeof sessionId !== "string" || sessionId === "") return undefined;
	return {
		instance: `${program}:${pid}`,
		pid,
		host: hostname(),
		sessionId,
		...(typeof cwd === "string" && { cwd }),
		state: STATES[textOf(status)] ?? "idle",
		since: readTime(statusUpdatedAt) ?? readTime(updatedAt) ?? readTime(startedAt) ?? 0,
		isInteractive: kind === "interactive",
	};
}

/**
 * Process ids are reused, so a record without a start time does not prove that its process is
 * running.
 */
function isRunning(pid: number, { procStart, pidDomain }: JsonObject): boolean {
	if (!isHere(textOf(pidDomain)) || !isAlive(pid)) return false;
	const claimed = String(procStart ?? "").trim();
	return claimed !== "" && claimed === (processStat(pid)?.ticks.toString() ?? startDate(pid, claimed));
}

/**
 * Returns true if `domain` identifies this machine. `domain` has the form `darwin` or
 * `linux:<machine id>:<pid namespace>`. Missing parts are not compared.
 */
function isHere(domain: string): boolean {
	const [platform = "", machine = ""] = domain.split(":");
	const [namespace] = /pid:\[\d+\]$/.exec(domain) ?? [];
	const id = smallFile("/etc/machine-id", 1_000);
	return (
		(platform === "" || platform === process.platform) &&
		(!/^[\da-f]{32}$/.test(machine) || !id.ok || id.text.trim() === machine) &&
		(namespace === undefined || (namespaceHere() ?? namespace) === namespace)
	);
}

function namespaceHere(): string | undefined {
	try {
		return readlinkSync("/proc/self/ns/pid");
	} catch {
		return undefined;
	}
}

/** Confirmed start times of processes are cached, because each lookup runs an external program. */
const confirmed = new Set<string>();

/**
 * Returns the start time as `ps` writes it on macOS, such as `Sat Sep 19 18:31:41 2026`, or an empty
 * string if `ps` fails.
 */
function startDate(pid: number, claimed: string): string {
	if (confirmed.has(`${pid} ${claimed}`)) return claimed;
	try {
		const options = { encoding: "utf8", timeout: 2_000, stdio: "pipe" } as const;
		const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
		const date = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { ...options, env }).trim();
		if (date === claimed) confirmed.add(`${pid} ${claimed}`);
		return date;
	} catch {
		return "";
	}
}
