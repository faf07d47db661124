/** Milliseconds before the bell. Background work may wake the agent again within that time, and then the bell rings at the last end. */
const RING_MS = 3_000;
/** The same for a dialog, which the user may be about to answer. */
const DIALOG_MS = 6_000;

interface BellDeps {
	/** For how many more milliseconds the user counts as looking at the terminal; 0 if nobody does. */
	looksForMs(): number;
	/** Notifies the user. Does nothing if the user does not want that. */
	ring(body: string): void;
}

/** Something that the user should know. */
interface News {
	body: string;
	isDialog?: boolean;
	/** Called if nobody has seen it. */
	unseen?: () => void;
}

/**
 * Rings once for each request of the user and kind of news, and only if nobody looks. A terminal that keeps the focus without a key for the
 * idle time proves nobody, so the bell then rings late.
 */
export function createBell({ looksForMs, ring }: BellDeps) {
	let timer: NodeJS.Timeout | undefined;
	/** The kinds of news for which the bell has rung since the user's last request. */
	const rung = new Set<string>();

	function arm(ms: number, then: () => void): void {
		clearTimeout(timer);
		// A timer that is due too late for Node would run at once.
		timer = Number.isFinite(ms) ? setTimeout(then, Math.min(ms, MAX_MS)).unref() : undefined;
	}

	function announce({ body, isDialog = false, unseen }: News): void {
		const nobody = () => {
			unseen?.();
			if (!rung.has(body)) ring(body);
			rung.add(body);
		};
		arm(isDialog ? DIALOG_MS : RING_MS, () => {
			const left = looksForMs();
			if (left === 0) nobody();
			// A key or the mouse within that time would have prolonged it.
			else arm(left, () => looksForMs() === 0 && nobody());
		});
	}

	return {
		announce,
		/** The user has seen what there is, or the agent works again. */
		cancel: () => clearTimeout(timer),
		submitted() {
			clearTimeout(timer);
			rung.clear();
		},
	};
}

/** The maximum delay of a timer. */
const MAX_MS = 2 ** 31 - 1;
