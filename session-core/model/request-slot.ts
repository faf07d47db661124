/** The request to a model that is in flight, at most one. `Key` says what it is for. */
export interface RequestSlot<Key, Answer> {
	/** What the request in flight is for; undefined: there is none. */
	readonly current: Key | undefined;
	/** Starts a request; one in flight is dropped. `done` is called only if this one is still wanted. Resolves when it is over. */
	start(
		key: Key,
		ask: (signal: AbortSignal) => Promise<Answer>,
		done: (answer: Answer) => void,
	): Promise<void>;
	/** Aborts the request in flight; its answer is never used. */
	drop(): void;
}

/** `broken` is the answer if asking throws because of a bug of ours: the user must not be disturbed by it. */
export function createRequestSlot<Key, Answer>(broken: Answer): RequestSlot<Key, Answer> {
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
			return ask(mine.controller.signal).then(finish, () => finish(broken));
		},
		drop,
	};
}
