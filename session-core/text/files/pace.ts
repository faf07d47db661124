/**
 * The length of a time slice in milliseconds. A keystroke may wait 16 ms, so a quarter of that time
 * leaves room for one slow step.
 */
export const SLICE_MS = 4;

/**
 * Within a time slice, files are read synchronously, because reading through Node's thread pool takes four
 * times as long.
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
	 * If the time slice is over, returns a promise that lets other work run. During the slice, returns
	 * undefined, because an `await` takes longer than most steps. Throws if the signal was aborted.
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
