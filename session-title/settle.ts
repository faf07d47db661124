/** Between the end of a run and the look at it, in ms: lets a queued follow-up start first. */
const SETTLE_MS = 50;

export interface SettleDeps {
	/** The agent works, or something is queued for it. */
	isBusy(): boolean;
	/** The last run has ended well and nothing follows it. */
	settled(): void;
	/** Call back after so many ms; the result takes it back. */
	after(ms: number, callback: () => void): () => void;
}

export interface Settle {
	started(): void;
	ended(run: { failed: boolean }): void;
	/** The host says itself that the run is over (0.86 and later). */
	over(): void;
	cancel(): void;
}

/**
 * Tells when a run is over. A failed one counts for nothing: the host may try it again by itself, and a provider that
 * is down would not answer us either.
 */
export function createSettle(deps: SettleDeps): Settle {
	let takeBack: (() => void) | undefined;
	let hasFailed = false;
	const cancel = () => {
		takeBack?.();
		takeBack = undefined;
	};
	const look = () => {
		cancel();
		if (hasFailed) return;
		if (deps.isBusy()) takeBack = deps.after(SETTLE_MS, look);
		else deps.settled();
	};
	return {
		started: cancel,
		ended({ failed }) {
			cancel();
			hasFailed = failed;
			if (!failed) takeBack = deps.after(SETTLE_MS, look);
		},
		over: look,
		cancel,
	};
}

/** A timer of the platform that does not keep the process alive. */
export function after(ms: number, callback: () => void): () => void {
	const handle = setTimeout(callback, ms);
	handle.unref();
	return () => clearTimeout(handle);
}
