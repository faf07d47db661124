/** What a model is being asked for right now: at most one thing. `Key` says what for. */
export interface RequestSlot<Key, Answer> {
	/** What is being asked for; undefined: nothing. */
	readonly current: Key | undefined;
	/** Ask; a request in flight is dropped. `done` is called only if this one is still wanted. Resolves when it is over. */
	start(
		key: Key,
		ask: (signal: AbortSignal) => Promise<Answer>,
		done: (answer: Answer) => void,
	): Promise<void>;
	/** Abort the request in flight; its answer is never used. */
	drop(): void;
}

/** `broken` is the answer where asking fails by a bug of its own: the user must not be disturbed by it. */
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
