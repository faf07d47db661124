/**
 * The bell rings this many milliseconds after a run. If the agent starts another run in that time, the bell waits for the end of that run.
 */
const RING_MS = 3_000;
/** The bell rings this many milliseconds after a dialog opens, because the user may be about to answer the dialog. */
const DIALOG_MS = 6_000;
/** Node.js fires a timer immediately if its delay is longer than this many milliseconds. */
const MAX_MS = 2 ** 31 - 1;

interface BellDeps {
	/** The number of milliseconds for which the user still counts as looking at the terminal. It is 0 if the user is not looking. */
	looksForMs(): number;
	ring(body: string): void;
}

/** `unseen` is called when it is certain that the user has not seen the news. */
interface News {
	body: string;
	isDialog?: boolean;
	unseen?: () => void;
}

/** If the terminal has focus, the bell waits until the user counts as away, because people often leave a terminal that keeps the focus. */
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
				// If the user presses a key or moves the mouse in the meantime, the user counts as looking for longer.
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
