/**
 * Divides long work into short slices, so that a keystroke never has to wait for it. The work is a generator that yields a result, or
 * undefined wherever it may be interrupted. Small reads are synchronous, because on local disks the thread pool takes four times as long.
 * A file that is read completely is read asynchronously (`wholeLines`).
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

/** Decides when divided work has to pause. */
export class Pace {
	readonly #sliceMs: number;
	#started = performance.now();

	constructor(sliceMs = SLICE_MS) {
		this.#sliceMs = sliceMs;
	}

	/** Check this before you call `rest`. An `await` after every step would cost as much as the steps themselves. */
	get isDue(): boolean {
		return performance.now() - this.#started >= this.#sliceMs;
	}

	/** Lets everything else on the event loop run first. */
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
		// A generator that is closed early may still yield in its `finally` block. That part then runs in slices, too.
		for (let step = steps.return(); !step.done; step = steps.next()) if (pace.isDue) await pace.rest();
	}
}
