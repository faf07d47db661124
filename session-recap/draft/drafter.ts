import { internalError, isPassing } from "../../session-core/model/failure.ts";
import { createRequestSlot } from "../../session-core/model/request-slot.ts";
import { PAUSE_MS, type Trigger } from "../../session-core/model/reserve-cost.ts";
import type { Reading } from "../reading.ts";
import type { Answer } from "./ask.ts";
import type { Draft } from "./draft.ts";

export interface DrafterDeps {
	ask(reading: Reading, signal: AbortSignal, by: Trigger): Promise<Answer>;
	/** Stores a model's answer for this state of the conversation. */
	save(stamp: string, answer: { text: string; model: string }): void;
	/** Called when a draft that is still in use has changed. */
	changed(draft: Draft): void;
}

export interface Drafter {
	/** Returns the draft of this state. If there is none yet, an offline draft is created. */
	open(reading: Reading): Draft;
	/** Calls a model for this draft, unless such a call is in progress. A call for any other draft is aborted. */
	improve(draft: Draft, reading: Reading, by: Trigger): void;
	find(stamp: string): Draft | undefined;
	/** Aborts the call in progress. Its answer is never used. */
	drop(): void;
}

/**
 * Creates the drafts for one session instance, with at most one request in progress. All drafts are kept, so that jumping back in the
 * session tree does not require a new draft.
 */
export function createDrafter(deps: DrafterDeps): Drafter {
	const drafts = new Map<string, Draft>();
	const slot = createRequestSlot<Draft, Answer>(internalError);

	const drop = () => {
		const dropped = slot.current;
		slot.drop();
		if (dropped) dropped.status = "offline";
	};

	return {
		open(reading) {
			const known = drafts.get(reading.stamp);
			if (known) return known;
			const draft = newDraft(reading);
			drafts.set(reading.stamp, draft);
			return draft;
		},
		improve(draft, reading, by) {
			if (slot.current === draft) return;
			drop();
			draft.status = "drafting";
			draft.failure = undefined;
			const finish = (answer: Answer) => {
				settle(draft, answer);
				if (answer.ok) deps.save(draft.stamp, { text: answer.text, model: answer.model });
				deps.changed(draft);
			};
			void slot.start(draft, (signal) => deps.ask(reading, signal, by), finish);
		},
		find: (stamp) => drafts.get(stamp),
		drop,
	};
}

function newDraft(reading: Reading): Draft {
	const { stamp, lines, artifacts, saved } = reading;
	return {
		stamp,
		lines,
		artifacts,
		answer: saved && { text: saved.text, model: saved.model },
		status: saved ? "answered" : "offline",
		failure: undefined,
	};
}

function settle(draft: Draft, answer: Answer): void {
	if (answer.ok) {
		draft.status = "answered";
		draft.answer = { text: answer.text, model: answer.model };
		return;
	}
	draft.status = draft.answer ? "answered" : "failed";
	const { ok: _ok, ...failure } = answer;
	draft.failure = failure;
}

/** Retries a model call once, after a pause, if the provider was busy and the state of the conversation has not changed. */
export interface Retry {
	/** The call for a draft ended. */
	done(draft: Pick<Draft, "stamp" | "failure">): void;
	cancel(): void;
}

/** `again` is called at most once per state. The function must check that the state is still the current one. */
export function createRetry(again: (stamp: string) => void): Retry {
	const tried = new Set<string>();
	let handle: NodeJS.Timeout | undefined;
	return {
		done({ stamp, failure }) {
			clearTimeout(handle);
			if (!failure || !isPassing(failure.reason) || tried.has(stamp)) return;
			handle = setTimeout(() => {
				tried.add(stamp);
				again(stamp);
			}, PAUSE_MS);
			handle.unref();
		},
		cancel: () => clearTimeout(handle),
	};
}
