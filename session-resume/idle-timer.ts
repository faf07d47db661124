/** Longest time that a timer of the platform can hold, in ms. */
const MAX_MS = 2 ** 31 - 1;

/** Calls back when nothing has happened for a time. */
export interface IdleTimer {
	/** Nothing runs: the time begins anew. */
	start(): void;
	cancel(): void;
}

/** `ms` 0: never. Does not keep the process alive. */
export function createIdleTimer(ms: number, idle: () => void): IdleTimer {
	let handle: NodeJS.Timeout | undefined;
	return {
		start() {
			clearTimeout(handle);
			if (ms > 0) handle = setTimeout(idle, Math.min(ms, MAX_MS)).unref();
		},
		cancel: () => clearTimeout(handle),
	};
}
