import { readFileSync } from "node:fs";
import { errorCode } from "./regular-file.ts";

/** Whether a process with this id runs. One that belongs to somebody else (EPERM) does; one that nobody has waited for does not. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch (error) {
		return errorCode(error) === "EPERM";
	}
	// A killed process keeps its id until its parent asks for it, which the first process of a container may never do.
	return statOf(pid)?.state !== "Z";
}

/**
 * When a process started, in clock ticks since boot (field 22 of `/proc/PID/stat`): two processes that had the same id one
 * after the other differ in it. Undefined where there is no `/proc`.
 */
export function startTicks(pid: number): number | undefined {
	const ticks = statOf(pid)?.ticks;
	return Number.isFinite(ticks) ? ticks : undefined;
}

function statOf(pid: number): { state: string | undefined; ticks: number } | undefined {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
		// The second field is the command in parentheses and may itself hold spaces and parentheses.
		const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		return { state: fields[0], ticks: Number(fields[19]) };
	} catch {
		// Not Linux, or the process is gone.
		return undefined;
	}
}
