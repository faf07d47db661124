/**
 * The time in milliseconds after which a long task yields to the event loop. The event loop must not be
 * blocked for more than 16 ms, even if one step of the task is slow.
 */
export const SLICE_MS = 4;

/**
 * Divides a long task into time slices, between which the event loop runs. Within a slice, files are read
 * synchronously, because reading through Node's thread pool takes four times as long.
 */
export class Pace {
	readonly #signal: AbortSignal | undefined;
	#started = performance.now();

	constructor(signal?: AbortSignal) {
		this.#signal = signal;
	}

	get isDue(): boolean {
		return performance.now() - this.#started >= SLICE_MS;
	}

	async rest(): Promise<void> {
		await new Promise<void>((resolve) => setImmediate(resolve));
		this.#started = performance.now();
	}

	/**
	 * Returns a promise that yields to the event loop if the time slice is over. Otherwise, returns
	 * undefined, because an unnecessary `await` takes longer than most steps. Throws if the signal has
	 * been aborted.
	 */
	readonly step = (): Promise<void> | undefined => {
		this.#signal?.throwIfAborted();
		return this.isDue ? this.rest() : undefined;
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
	for (; !next.done; next = steps.next()) {
		const rest = step();
		if (rest) await rest;
	}
	return next.value;
}
