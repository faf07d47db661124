/**
 * Long work in short slices, so that a keystroke never waits behind it.
 *
 * Work is written as a generator that yields a result, or undefined wherever it may be interrupted. File access stays
 * synchronous: on local disks the thread pool's four threads take four times as long for the same calls.
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

/** Runs work slice by slice and hands on its results. Between slices everything else on the event loop gets its turn. */
export async function* runSteps<T>(steps: Steps<T>, options: RunOptions = {}): AsyncGenerator<T, void, void> {
	const { signal, sliceMs = SLICE_MS } = options;
	let started = performance.now();
	const due = () => performance.now() - started >= sliceMs;
	const rest = async () => {
		await new Promise<void>((resolve) => setImmediate(resolve));
		started = performance.now();
	};
	try {
		while (!signal?.aborted) {
			const step = steps.next();
			if (step.done) return;
			if (step.value !== undefined) yield step.value;
			// Awaited only when due: an await a step would cost as much as the steps do.
			if (due()) await rest();
		}
	} finally {
		// A closing generator may go on yielding from its own `finally`: that, too, is done in slices.
		for (let step = steps.return(); !step.done; step = steps.next()) if (due()) await rest();
	}
}
