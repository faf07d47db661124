import { setTimeout as pause } from "node:timers/promises";

/** Maximum time in ms that a test waits for a condition on a busy machine. */
export const DEADLINE_MS = 60_000;

export interface UntilOptions {
	deadlineMs?: number;
	/** Polling interval in milliseconds. Default 10. */
	everyMs?: number;
	detail?: () => string;
}

/** The value that ended the wait: neither undefined, null nor false. */
export type Settled<T> = Exclude<T, undefined | null | false>;

/** Polls until `condition`, which `what` describes, returns anything but undefined, null or false. */
export async function until<T>(
	condition: () => T | Promise<T>,
	what: string,
	{ deadlineMs = DEADLINE_MS, everyMs = 10, detail }: UntilOptions = {},
): Promise<Settled<T>> {
	const end = performance.now() + deadlineMs;
	for (;;) {
		const value = await condition();
		if (isSettled(value)) return value;
		if (performance.now() >= end) {
			const more = detail ? `\n${detail()}` : "";
			throw new Error(`Waited ${deadlineMs} ms in vain for ${what}.${more}`);
		}
		await pause(everyMs);
	}
}

function isSettled<T>(value: T): value is Settled<T> {
	return value !== undefined && value !== null && value !== false;
}
