/** Handles `POST /v1/sessions/:id/answer`. */

import { withLease } from "../../session-core/sessions/index.ts";
import {
	type AnswerRefusal,
	explainAnswer,
	MAX_ANSWER,
	sendAnswer,
	whyNotAnswered,
} from "../../session-core/sessions/live/index.ts";
import { type Item, leaseOf, type RoutesDeps } from "./board.ts";
import { type Answer, type AnswerRequest, answered, refused } from "./requests.ts";

/** Maximum number of answers per minute. A client that sends more is not a person. */
const MOST_PER_MINUTE = 20;
const MINUTE_MS = 60_000;

export class Answering {
	readonly #deps: RoutesDeps;
	readonly #inFlight = new Set<string>();
	/** The times of the answers in the last minute, in ms since the epoch, oldest first. */
	#sentAt: number[] = [];

	constructor(deps: RoutesDeps) {
		this.#deps = deps;
	}

	async answer(item: Item, { text, last_message_id: shown }: AnswerRequest): Promise<Answer> {
		const { agentDir, log, now } = this.#deps;
		if (text.length > MAX_ANSWER)
			return refused(413, "too_large", "The answer is too long.", `Send at most ${MAX_ANSWER} characters.`);
		if (text.trim() === "") return refused(422, "invalid", "The answer is empty.", 'Send "text".');
		this.#sentAt = this.#sentAt.filter((at) => now() - at < MINUTE_MS);
		if (this.#inFlight.has(item.id) || this.#sentAt.length >= MOST_PER_MINUTE)
			return refused(
				429,
				"too_many",
				"Another answer is being sent to this session.",
				"Try again in a minute.",
			);
		// The server can send answers only to pi sessions, not to other agents' sessions.
		const lease = item.summary.format.canOpen ? leaseOf(this.#deps, item) : undefined;
		if (!lease)
			return refused(
				409,
				"not_live",
				"This session is not open.",
				'POST /v1/resume with "message" opens it with your answer.',
			);
		const view = withLease(item.view, lease);
		const notAnswered = (reason: AnswerRefusal) => {
			const remedy = "Load the session again, or continue in its terminal.";
			return refused(409, reason, `Not answered: ${explainAnswer(reason)}`, remedy);
		};
		const problem = whyNotAnswered(view);
		if (problem) return notAnswered(problem);
		const stamp = shown ?? view.lastMessageId ?? "";
		this.#inFlight.add(item.id);
		this.#sentAt.push(now());
		try {
			const outcome = await sendAnswer(agentDir, lease, { stamp, text, from: "page" });
			const { ok } = outcome;
			log("answer.sent", { session: item.id, ok, ...(!outcome.ok && { reason: outcome.reason }) });
			if (!outcome.ok) return notAnswered(outcome.reason);
			const question = (view.waits && view.next?.text) || null;
			return answered({ answered: true, question, state: "working" });
		} finally {
			this.#inFlight.delete(item.id);
		}
	}
}
