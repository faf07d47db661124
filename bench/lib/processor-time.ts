import { readFileSync } from "node:fs";

/** Of one tick, in milliseconds. */
export const TICK_MS = 10;

/** Milliseconds of user and system time, as Linux tells in `/proc` (proc(5): fields 14 and 15, in ticks of 10 ms); undefined elsewhere. */
export function processorTime(pid: number): number | undefined {
	if (process.platform !== "linux") return undefined;
	const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/**
 * Milliseconds that a process's main thread has run, and has been ready while others had the processor: on Linux as the scheduler
 * counts them (the first two fields of `/proc/PID/schedstat`); undefined elsewhere.
 */
export function mainThread(pid: number | "self"): { ran: number; waited: number } | undefined {
	if (process.platform !== "linux") return undefined;
	const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, "latin1").split(" ").map(Number);
	return { ran: ran / 1e6, waited: waited / 1e6 };
}
