/** Length of a slice in milliseconds: a quarter of the 16 ms that a keystroke may have to wait, which leaves room for one slow step. */
export const SLICE_MS = 4;

/** Divides work into short slices. Within a slice, files are read synchronously, because the thread pool takes four times as long. */
export class Pace {
	readonly #signal: AbortSignal | undefined;
	#started = performance.now();

	constructor(signal?: AbortSignal) {
		this.#signal = signal;
	}

	/** Whether the slice is over. In tight loops, check this first: awaiting each step would take as long as the steps. */
	get isDue(): boolean {
		return performance.now() - this.#started >= SLICE_MS;
	}

	async rest(): Promise<void> {
		await new Promise<void>((resolve) => setImmediate(resolve));
		this.#started = performance.now();
	}

	/** Pauses if the current slice is over. Throws if the signal is aborted. */
	readonly step = async (): Promise<void> => {
		if (this.isDue) await this.rest();
		this.#signal?.throwIfAborted();
	};
}

/** Work that yields wherever it can be interrupted. */
export type Steps<R> = Generator<undefined, R, void>;

export function atOnce<R>(steps: Steps<R>): R {
	let next = steps.next();
	while (!next.done) next = steps.next();
	return next.value;
}

/** Does the work in slices. `step` comes from a {@link Pace}. */
export async function inSlices<R>(steps: Steps<R>, step: Pace["step"]): Promise<R> {
	let next = steps.next();
	for (; !next.done; next = steps.next()) await step();
	return next.value;
}
