/** Milliseconds before the bell rings. If background work wakes the agent within that time, the bell rings only after the last run. */
const RING_MS = 3_000;
/** Milliseconds before the bell rings for a dialog, which the user may be about to answer. */
const DIALOG_MS = 6_000;
/** Node.js fires a timer with a longer delay, in milliseconds, at once. */
const MAX_MS = 2 ** 31 - 1;

interface BellDeps {
	/** For how many more milliseconds the user counts as looking at the terminal; 0 if the user is not looking. */
	looksForMs(): number;
	ring(body: string): void;
}

/** `unseen` is called when it is clear that the user has not seen the news. */
interface News {
	body: string;
	isDialog?: boolean;
	unseen?: () => void;
}

/**
 * Rings at most once for each kind of event after each of the user's requests, and only if the user is not watching. If the terminal has
 * focus, the bell waits until the user counts as away, because people walk away from terminals that keep the focus.
 */
export function createBell({ looksForMs, ring }: BellDeps) {
	let timer: NodeJS.Timeout | undefined;
	const rung = new Set<string>();
	const cancel = () => clearTimeout(timer);

	function arm(ms: number, then: () => void): void {
		cancel();
		timer = Number.isFinite(ms) ? setTimeout(then, Math.min(ms, MAX_MS)).unref() : undefined;
	}

	return {
		announce({ body, isDialog = false, unseen }: News): void {
			const nobody = () => {
				unseen?.();
				if (!rung.has(body)) ring(body);
				rung.add(body);
			};
			arm(isDialog ? DIALOG_MS : RING_MS, () => {
				const left = looksForMs();
				if (left === 0) nobody();
				// If the user presses a key or uses the mouse in the meantime, they count as looking for longer.
				else arm(left, () => looksForMs() === 0 && nobody());
			});
		},
		cancel,
		submitted() {
			cancel();
			rung.clear();
		},
	};
}
