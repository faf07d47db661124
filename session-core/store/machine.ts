import { createHmac, randomBytes } from "node:crypto";
import { uptime } from "node:os";
import { join } from "node:path";
import { replaceFile } from "./atomic-file.ts";
import { readHead } from "./span.ts";
import { factIn, pidNamespace } from "./writer.ts";

/** Where a process runs: what tells whether its id can be looked up from here. */
export interface Place {
	/** The machine. Does not change with its name or its network. */
	machine: string;
	/** One run of the machine: the kernel's own id of it, else the time at which it began, in seconds since the epoch. */
	boot: string;
	/** The namespace of its process ids, where the platform has them: containers have one each. */
	pidSpace?: string;
}

export interface MachineFacts {
	/** What the system calls itself for good; empty if nothing does. */
	machineId: string;
	/** The kernel's id of this boot; empty if there is none. */
	bootId: string;
	pidSpace: string | undefined;
	/** When the machine was started, in seconds since the epoch. */
	bootedAt: number;
}

/** Clocks are set right while a machine runs; a boot's time that was computed may be off by this. In seconds. */
const BOOT_TOLERANCE = 60;

/** The place of this process. */
export function placeOf(agentDir: string, facts: MachineFacts = systemFacts()): Place {
	return placeBy(facts, () => keptId(agentDir));
}

/** The same, with nothing written: empty where no id was made up yet for a machine that has none. */
export function knownPlaceOf(agentDir: string, facts: MachineFacts = systemFacts()): Place {
	return placeBy(facts, () => readId(idPath(agentDir)) ?? "");
}

function placeBy(facts: MachineFacts, madeUp: () => string): Place {
	const { machineId, bootId, pidSpace, bootedAt } = facts;
	return {
		machine: machineId === "" ? madeUp() : hashed(machineId),
		boot: bootId === "" ? String(bootedAt) : bootId,
		...(pidSpace !== undefined && { pidSpace }),
	};
}

/** Whether two say the same boot. */
export function isSameBoot(one: string, other: string): boolean {
	return one === other || Math.abs(Number(one) - Number(other)) <= BOOT_TOLERANCE;
}

/** When this machine was started, in milliseconds since the epoch. */
export function bootTime(now: number): number {
	return now - uptime() * 1_000;
}

function systemFacts(): MachineFacts {
	return {
		machineId: factIn("/etc/machine-id") || factIn("/var/lib/dbus/machine-id"),
		bootId: factIn("/proc/sys/kernel/random/boot_id"),
		pidSpace: pidNamespace(),
		bootedAt: Math.round(bootTime(Date.now()) / 1_000),
	};
}

/** The system's id is confidential (machine-id(5)): what is stored is one that only this program can derive from it. */
function hashed(machineId: string): string {
	return createHmac("sha256", machineId).update("pi-session-suite").digest("hex").slice(0, 16);
}

/**
 * An id made up once and kept. Machines that share the folder share it too; then the boot tells them apart, and whose boot is
 * another's is judged by its heartbeat.
 */
function keptId(agentDir: string): string {
	const path = idPath(agentDir);
	const known = readId(path);
	if (known !== undefined) return known;
	const made = randomBytes(8).toString("hex");
	replaceFile(path, `${made}\n`);
	// Of two processes that made one at once, the later write counts.
	return readId(path) ?? made;
}

function idPath(agentDir: string): string {
	return join(agentDir, "session-suite", "machine");
}

function readId(path: string): string | undefined {
	const head = readHead(path, 64);
	return head.ok ? /^([0-9a-f]{16})\n/.exec(head.bytes.toString("latin1"))?.[1] : undefined;
}
