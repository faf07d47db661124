import type { Trigger } from "../../session-core/usage/books.ts";
import type { AskOutcome } from "./ask.ts";
import type { Prepared } from "./keeper.ts";

/** What a model is being asked for right now: at most one record. */
export interface Drafting {
	/** Ask; a request in flight is dropped. `done` is called only if this one is still wanted. */
	start(prepared: Prepared, by: Trigger, done: (outcome: AskOutcome) => void): void;
	/** Hang up; the answer is never used. */
	drop(): void;
}

/** Asking has a bug of its own: the record is the offline one, and nothing else happens. */
const BROKEN: AskOutcome = { ok: false, reason: "provider_error", model: "" };

export function createDrafting(
	ask: (prepared: Prepared, by: Trigger, signal: AbortSignal) => Promise<AskOutcome>,
): Drafting {
	let request: AbortController | undefined;
	const drop = () => {
		const dropped = request;
		request = undefined;
		dropped?.abort();
	};
	return {
		start(prepared, by, done) {
			drop();
			const mine = new AbortController();
			request = mine;
			const finish = (outcome: AskOutcome) => {
				if (request !== mine) return;
				request = undefined;
				done(outcome);
			};
			ask(prepared, by, mine.signal).then(finish, () => finish(BROKEN));
		},
		drop,
	};
}
