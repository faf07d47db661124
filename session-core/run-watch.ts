/** Between the end of a clean run and the look at it, in ms: lets a queued follow-up start first. */
const SETTLE_MS = 50;
/** The host's retry pauses: 2 s, doubled each time, three times by default (its settings `retry.*`). */
const RETRY_BASE_MS = 2_000;
const RETRIES = 3;
/** Room for the retry to begin after its pause. */
const RETRY_SLACK_MS = 1_000;

/**
 * How long after a run's end it counts as settled, in ms; `failures`: failed run ends in a row. Hosts before 0.86 retry a
 * failed run by themselves and have no event for "that was all", so a failure waits until the next try would have begun.
 */
export function settleDelay(failures: number): number {
	if (failures === 0 || failures > RETRIES) return SETTLE_MS;
	return RETRY_BASE_MS * 2 ** (failures - 1) + RETRY_SLACK_MS;
}

export interface RunWatchDeps {
	/** The agent works, or something is queued for it. */
	isBusy(): boolean;
	/** A run is over and nothing follows it. `failed`: it ended in a provider's error, and will not be tried again. */
	settled(run: { failed: boolean }): void;
}

export interface RunWatch {
	/** A run began. */
	started(): void;
	/** A run has ended. A failed one may be tried again by the host itself. */
	ended(run: { failed: boolean }): void;
	/** The host says itself that the run is over (0.86 and later). */
	over(): void;
	cancel(): void;
}

/** Tells when a run is over. No timer keeps the process alive. */
export function createRunWatch(deps: RunWatchDeps): RunWatch {
	let handle: NodeJS.Timeout | undefined;
	let failures = 0;
	let failed = false;
	const cancel = () => clearTimeout(handle);
	const arm = (ms: number) => {
		cancel();
		handle = setTimeout(look, ms).unref();
	};
	const look = () => {
		cancel();
		if (deps.isBusy()) {
			arm(SETTLE_MS);
			return;
		}
		failures = 0;
		deps.settled({ failed });
	};
	return {
		started: cancel,
		ended(run) {
			failed = run.failed;
			failures = failed ? failures + 1 : 0;
			arm(settleDelay(failures));
		},
		over: look,
		cancel,
	};
}
