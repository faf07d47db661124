import { setTimeout as pause } from "node:timers/promises";

export interface UntilOptions {
	/** What is waited for, in words: it heads the failure. */
	what: string;
	/** Milliseconds until it counts as failed. Default 20,000. */
	deadlineMs?: number;
	/** Milliseconds between looks. Default 10. */
	everyMs?: number;
	/** More for the failure, computed only then: a screen, a log. */
	detail?: () => string;
}

/** What `until` resolves with: the value that ended the wait. */
export type Settled<T> = Exclude<T, undefined | null | false>;

/** Look again and again until `condition` gives something other than undefined, null or false; that is the result. */
export async function until<T>(condition: () => T | Promise<T>, options: UntilOptions): Promise<Settled<T>> {
	const { what, deadlineMs = 20_000, everyMs = 10, detail } = options;
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
