/**
 * Long work in short slices, so that a keystroke never waits behind it.
 *
 * Work is written as a generator that yields a result, or undefined wherever it may be interrupted. File access stays
 * synchronous where many small reads are made: on local disks the thread pool's four threads take four times as long for
 * the same calls. A file that is read whole is read asynchronously (`whole-lines.ts`).
 */
export type Steps<T, R = void> = Generator<T | undefined, R, void>;

/** Slice length in milliseconds: a quarter of the 16 that a keystroke may wait, so that one slow step still fits. */
export const SLICE_MS = 4;

export interface RunOptions {
	/** Ends the work at its next step; what it does to close still runs. */
	signal?: AbortSignal | undefined;
	/** Slice length in milliseconds. Default {@link SLICE_MS}. */
	sliceMs?: number | undefined;
}

/** When work that goes on in slices is to let others have their turn. */
export class Pace {
	readonly #sliceMs: number;
	#started = performance.now();

	constructor(sliceMs = SLICE_MS) {
		this.#sliceMs = sliceMs;
	}

	/** Asked before each rest: an await a step would cost as much as the steps do. */
	get isDue(): boolean {
		return performance.now() - this.#started >= this.#sliceMs;
	}

	/** Everything else on the event loop gets its turn. */
	async rest(): Promise<void> {
		await new Promise<void>((resolve) => setImmediate(resolve));
		this.#started = performance.now();
	}
}

/** Runs work slice by slice and hands on its results. */
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
		// A closing generator may go on yielding from its own `finally`: that, too, is done in slices.
		for (let step = steps.return(); !step.done; step = steps.next()) if (pace.isDue) await pace.rest();
	}
}
