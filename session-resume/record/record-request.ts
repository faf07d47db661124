import { createRequestSlot } from "../../session-core/request-slot.ts";
import type { Trigger } from "../../session-core/usage/books.ts";
import type { AskOutcome } from "./ask.ts";
import type { Prepared } from "./keeper.ts";

/** The record that a model is being asked for, at most one. */
export interface RecordRequest {
	/** Ask; a request in flight is dropped. `done` is called only if this one is still wanted. */
	start(prepared: Prepared, by: Trigger, done: (outcome: AskOutcome) => void): void;
	/** Abort the request in flight; its answer is never used. */
	drop(): void;
}

/** Asking has a bug of its own: the record is the offline one, and nothing else happens. */
const BROKEN: AskOutcome = { ok: false, reason: "provider_error", model: "" };

export function createRecordRequest(
	ask: (prepared: Prepared, by: Trigger, signal: AbortSignal) => Promise<AskOutcome>,
): RecordRequest {
	const slot = createRequestSlot<"record", AskOutcome>(BROKEN);
	return {
		start: (prepared, by, done) => void slot.start("record", (signal) => ask(prepared, by, signal), done),
		drop: slot.drop,
	};
}
