import { readFileSync } from "node:fs";
import { errorCode } from "./regular-file.ts";

/** Whether a process with this id runs. One that belongs to somebody else (EPERM) does. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return errorCode(error) === "EPERM";
	}
}

/**
 * When a process started, in clock ticks since boot (field 22 of `/proc/PID/stat`): two processes that had the same id one
 * after the other differ in it. Undefined where there is no `/proc`.
 */
export function startTicks(pid: number): number | undefined {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
		// The second field is the command in parentheses and may itself hold spaces and parentheses.
		const ticks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
		return Number.isFinite(ticks) ? ticks : undefined;
	} catch {
		// Not Linux, or the process is gone.
		return undefined;
	}
}
