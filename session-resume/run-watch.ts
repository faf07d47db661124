export interface RunWatchDeps {
	/** Idle time until `idle`, in milliseconds; 0: never. */
	idleMs: number;
	/** The agent works, or something is queued for it. */
	isBusy(): boolean;
	/** A run is over and nothing follows it. */
	settled(): void;
	/** Nothing has happened for the idle time. */
	idle(): void;
}

export interface RunWatch {
	/** A run began. */
	started(): void;
	/** A run has ended, which the host may try again by itself. */
	ended(): void;
	/** The host says itself that the run is over (0.86 and later). */
	over(): void;
	/** Nothing runs: the idle time begins. */
	rest(): void;
	cancel(): void;
}

/** Between the end of a run and the look at it, in ms: the host's own work at that moment goes first. */
const SETTLE_MS = 150;
/** Longest time that a timer of the platform can hold, in ms. */
const MAX_MS = 2 ** 31 - 1;

/** Tells when a run is over, and when the session has been left alone for long. No timer keeps the process alive. */
export function createRunWatch(deps: RunWatchDeps): RunWatch {
	let handle: NodeJS.Timeout | undefined;
	const arm = (ms: number, callback: () => void) => {
		clearTimeout(handle);
		handle = setTimeout(callback, Math.min(ms, MAX_MS));
		handle.unref();
	};
	const cancel = () => clearTimeout(handle);
	const rest = () => {
		if (deps.idleMs > 0) arm(deps.idleMs, deps.idle);
	};
	const look = () => {
		cancel();
		if (deps.isBusy()) {
			arm(SETTLE_MS, look);
			return;
		}
		deps.settled();
		rest();
	};
	return { started: cancel, ended: () => arm(SETTLE_MS, look), over: look, rest, cancel };
}
