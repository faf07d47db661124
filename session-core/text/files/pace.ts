/**
 * Milliseconds per slice. A keystroke may wait 16 ms, and a quarter of that time leaves room for one
 * slow step.
 */
export const SLICE_MS = 4;

/**
 * Within a slice, files are read synchronously, because reading through Node's thread pool takes four
 * times as long.
 */
export class Pace {
	readonly #signal: AbortSignal | undefined;
	#started = performance.now();

	constructor(signal?: AbortSignal) {
		this.#signal = signal;
	}

	/**
	 * Check this property before you await `step` in a tight loop, because an await in every iteration
	 * would double the running time.
	 */
	get isDue(): boolean {
		return performance.now() - this.#started >= SLICE_MS;
	}

	async rest(): Promise<void> {
		await new Promise<void>((resolve) => setImmediate(resolve));
		this.#started = performance.now();
	}

	/** Lets other work run if the slice is over. Throws if the signal was aborted. */
	readonly step = async (): Promise<void> => {
		if (this.isDue) await this.rest();
		this.#signal?.throwIfAborted();
	};
}

export type Steps<R> = Generator<undefined, R, void>;

export function atOnce<R>(steps: Steps<R>): R {
	let next = steps.next();
	while (!next.done) next = steps.next();
	return next.value;
}

export async function inSlices<R>(steps: Steps<R>, step: Pace["step"]): Promise<R> {
	let next = steps.next();
	for (; !next.done; next = steps.next()) await step();
	return next.value;
}
