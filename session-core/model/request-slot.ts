/** Permits at most one request to a model at a time. `Key` identifies the purpose of a request. */
export interface RequestSlot<Key, Answer> {
	/** The purpose of the request in progress; undefined if no request is in progress. */
	readonly current: Key | undefined;
	/**
	 * Starts a request and aborts any request in progress. `done` is called unless the new request is aborted in turn. Resolves when the
	 * new request has ended.
	 */
	start(
		key: Key,
		ask: (signal: AbortSignal) => Promise<Answer>,
		done: (answer: Answer) => void,
	): Promise<void>;
	/** Aborts the request in progress and discards its answer. */
	drop(): void;
}

/** Creates a request slot. `broken` converts an exception, which indicates a bug, into an answer; see `internalError`. */
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
