import { readFileSync } from "node:fs";

/** Returns the median; NaN for an empty list. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((one, other) => one - other);
	const middle = sorted.length / 2;
	const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
	const high = sorted[Math.floor(middle)] ?? Number.NaN;
	return (low + high) / 2;
}

/** Returns the 95 % confidence interval of the median from order statistics (sign test). For a small sample, this is the full range. */
export function medianRange(values: readonly number[]): { low: number; high: number } {
	const sorted = [...values].sort((one, other) => one - other);
	const reach = 0.98 * Math.sqrt(sorted.length);
	const low = Math.max(0, Math.floor(sorted.length / 2 - reach) - 1);
	const at = (index: number) => sorted[index] ?? Number.NaN;
	return { low: at(low), high: at(sorted.length - 1 - low) };
}

/** Returns the shortest of several times, because other work on the machine can only make them longer. NaN for an empty list. */
export function least(values: readonly number[]): number {
	return values.length === 0 ? Number.NaN : Math.min(...values);
}

/** Milliseconds of a call. */
export function timeOf(call: () => unknown): number {
	const start = performance.now();
	call();
	return performance.now() - start;
}

/**
 * Returns the milliseconds that a process's main thread has spent running and waiting for the processor (the first two fields of
 * `/proc/PID/schedstat`). Returns undefined on systems other than Linux.
 */
export function mainThread(pid: number | "self"): { ran: number; waited: number } | undefined {
	if (process.platform !== "linux") return undefined;
	const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, "latin1").split(" ").map(Number);
	return { ran: ran / 1e6, waited: waited / 1e6 };
}
