/**
 * Work that is divided into short slices, so that a keystroke never has to wait for it. The work is a generator that yields its results,
 * and yields undefined wherever it may be interrupted. Small reads are synchronous, because asynchronous reads in the thread pool take four
 * times as long on local disks. Files that are read completely are read asynchronously (`wholeLines`).
 */
export type Steps<T, R = void> = Generator<T | undefined, R, void>;

/** Length of a slice in milliseconds: a quarter of the 16 ms that a keystroke may have to wait, which leaves room for one slow step. */
export const SLICE_MS = 4;

export interface RunOptions {
	/** Aborting ends the work at its next step; its `finally` blocks still run. */
	signal?: AbortSignal | undefined;
	/** Slice length in milliseconds. Default {@link SLICE_MS}. */
	sliceMs?: number | undefined;
}

/** Decides when work that is done in slices must yield. */
export class Pace {
	readonly #sliceMs: number;
	#started = performance.now();

	constructor(sliceMs = SLICE_MS) {
		this.#sliceMs = sliceMs;
	}

	/**
	 * Whether the current slice is over. Check this before calling `rest`, because awaiting after every step would take as long as the
	 * steps themselves.
	 */
	get isDue(): boolean {
		return performance.now() - this.#started >= this.#sliceMs;
	}

	/** Lets all other pending work on the event loop run, then starts a new slice. */
	async rest(): Promise<void> {
		await new Promise<void>((resolve) => setImmediate(resolve));
		this.#started = performance.now();
	}
}

/** Runs work slice by slice and yields its results. */
export async function* runSteps<T>(steps: Steps<T>, options: RunOptions = {}): AsyncGenerator<T, void, void> {
	const { signal, sliceMs } = options;
	const pace = new Pace(sliceMs);
	try {
		while (!signal?.aborted) {
			const step = steps.next();
			if (step.done) return;
			if (step.value !== undefined) yield step.value;
			if (pace.isDue) await pace.rest();
		}
	} finally {
		// A generator that is closed early may still yield in its `finally` block. The rest of that block then also runs in slices.
		for (let step = steps.return(); !step.done; step = steps.next()) if (pace.isDue) await pace.rest();
	}
}
