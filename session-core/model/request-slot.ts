/** Allows at most one request to a model at a time. `Key` identifies its purpose. */
export interface RequestSlot<Key, Answer> {
	/** The purpose of the request in progress, if there is one. */
	readonly current: Key | undefined;
	/**
	 * Starts a request and aborts the one in progress. `done` is called unless this one is aborted, too.
	 * Resolves when the request is over.
	 */
	start(
		key: Key,
		ask: (signal: AbortSignal) => Promise<Answer>,
		done: (answer: Answer) => void,
	): Promise<void>;
	/** Aborts the request in progress; its answer is never used. */
	drop(): void;
}

/** `broken` turns an exception, which is a bug, into an answer: see `internalError`. */
export function createRequestSlot<Key, Answer>(broken: (error: unknown) => Answer): RequestSlot<Key, Answer> {
	let request: { key: Key; controller: AbortController } | undefined;
	const drop = () => {
		const dropped = request;
		request = undefined;
		dropped?.controller.abort();
	};
	return {
		get current() {
			return request?.key;
		},
		start(key, ask, done) {
			drop();
			const mine = { key, controller: new AbortController() };
			request = mine;
			const finish = (answer: Answer) => {
				if (request !== mine) return;
				request = undefined;
				done(answer);
			};
			return ask(mine.controller.signal).then(finish, (error) => finish(broken(error)));
		},
		drop,
	};
}
