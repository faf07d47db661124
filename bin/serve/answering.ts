/** `POST /v1/sessions/:id/answer` */
import { explainAnswer, MAX_ANSWER, sendAnswer } from "../../session-core/live/answers.ts";
import { openSession } from "../../session-core/session-view/describe.ts";
import type { Item } from "./board.ts";
import { leaseOf, type RoutesDeps, sessionGone } from "./find.ts";
import { type Answer, type AnswerRequest, answered, refused } from "./requests.ts";

/** A person answers a few sessions in a minute; whatever sends more is no person. */
const MOST_PER_MINUTE = 20;
const MINUTE_MS = 60_000;

export class Answering {
	readonly #deps: RoutesDeps;
	/** The ids of sessions with an answer in flight. */
	readonly #inFlight = new Set<string>();
	/** When answers were sent in the last minute, oldest first. */
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
			return refused(429, "too_many", "Another answer is in flight.", "Try again in a minute.");
		// Only pi can be answered from here.
		const lease = item.summary.agent ? undefined : leaseOf(this.#deps, item);
		if (!lease)
			return refused(
				409,
				"not_live",
				"This session is not open.",
				'POST /v1/resume with "message" opens it with your answer.',
			);
		const opened = openSession(item.summary);
		if (!opened.ok) return sessionGone(opened.reason);
		const stamp = shown ?? opened.reading.stamp ?? "";
		this.#inFlight.add(item.id);
		this.#sentAt.push(now());
		try {
			const outcome = await sendAnswer(agentDir, lease, { stamp, text, from: "page" });
			log("answer.sent", {
				session: item.id,
				ok: outcome.ok,
				...(!outcome.ok && { reason: outcome.reason }),
			});
			if (outcome.ok) return answered({ answered: true, state: "working" });
			const message = `Not answered: ${explainAnswer(outcome.reason)}`;
			return refused(409, outcome.reason, message, "Load the session again, or continue in its terminal.");
		} finally {
			this.#inFlight.delete(item.id);
		}
	}
}
