/** What is being asked for right now: at most one thing, by itself or because it was typed. */
export interface RequestSlot<Answer> {
	readonly current: "automatic" | "typed" | undefined;
	/** Ask; a request in flight is dropped. `done` is called only if this one is still wanted. Resolves when it is over. */
	start(
		kind: "automatic" | "typed",
		ask: (signal: AbortSignal) => Promise<Answer>,
		done: (answer: Answer) => void,
	): Promise<void>;
	/** Hang up; the answer is never used. */
	drop(): void;
}

/** `broken` stands for an asking that has a bug of its own: the user must not pay for it with noise. */
export function createRequestSlot<Answer>(broken: Answer): RequestSlot<Answer> {
	let request: { kind: "automatic" | "typed"; controller: AbortController } | undefined;
	const drop = () => {
		const dropped = request;
		request = undefined;
		dropped?.controller.abort();
	};
	return {
		get current() {
			return request?.kind;
		},
		start(kind, ask, done) {
			drop();
			const mine = { kind, controller: new AbortController() };
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
