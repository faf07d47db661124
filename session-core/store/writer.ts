import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { isAlive, startTicks } from "./process.ts";

/** The process that made a file, as told by the file's name: such a name is there at once and whole, or not at all. */
export interface Writer {
	/** Where its process id means anything: one boot of one machine, and there one namespace of process ids. */
	space: string;
	pid: number;
	/** When it started, in clock ticks since boot; 0 where that cannot be known. */
	started: number;
}

/** What is asked about processes; a parameter, so that death and reuse of ids can be tried without dying. */
export interface Processes {
	space: string;
	isAlive(pid: number): boolean;
	startTicks(pid: number): number | undefined;
}

const MARK = /^([0-9a-f]{8})-(\d+)-(\d+)$/;
/** What a writer of another space left cannot be tied to a process: it counts as left behind at this age. In milliseconds. */
const FOREIGN_MS = 10_000;

let real: Processes | undefined;

/** The processes that this one can see. */
export function realProcesses(): Processes {
	real ??= { space: ownSpace(), isAlive, startTicks };
	return real;
}

/** This process as a part of a file name. */
export function ownMark(): string {
	return `${realProcesses().space}-${process.pid}-${startTicks(process.pid) ?? 0}`;
}

/** Reads a mark; undefined for any other text. */
export function readMark(text: string): Writer | undefined {
	const [, space, pid, started] = MARK.exec(text) ?? [];
	if (space === undefined) return undefined;
	return { space, pid: Number(pid), started: Number(started) };
}

/** Whether a writer has ended. `ageMs`: since it last changed the file, for those whose process cannot be looked up here. */
export function hasEnded(writer: Writer, ageMs: number, processes: Processes = realProcesses()): boolean {
	if (writer.space !== processes.space) return ageMs > FOREIGN_MS;
	if (!processes.isAlive(writer.pid)) return true;
	const started = processes.startTicks(writer.pid);
	return started !== undefined && writer.started !== 0 && started !== writer.started;
}

/** Containers that share a folder have different namespaces of process ids; without `/proc` there is one space. */
function ownSpace(): string {
	const facts = [factIn("/proc/sys/kernel/random/boot_id"), pidNamespace() ?? ""];
	return createHash("sha256").update(facts.join("\n")).digest("hex").slice(0, 8);
}

/** The namespace in which this process's id counts; undefined where the platform has none. */
export function pidNamespace(): string | undefined {
	try {
		return readlinkSync("/proc/self/ns/pid");
	} catch {
		// Not Linux.
		return undefined;
	}
}

/** What a small file of the system says, without its newline; empty where there is none. */
export function factIn(path: string): string {
	try {
		return readFileSync(path, "latin1").trim();
	} catch {
		// Another platform, or a container that hides it.
		return "";
	}
}
