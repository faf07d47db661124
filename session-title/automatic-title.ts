import type { Candidate } from "../session-core/model/choose-model.ts";
import type { Budget } from "../session-core/model/reserve-cost.ts";
import { type NameRefusal, nameSession, namingRefusal } from "../session-core/session-file/names.ts";
import { newestName, type TitleData } from "../session-core/session-file/names-in-file.ts";
import type { TitleContext, TitleOutcome } from "./ask.ts";

/** Maximum number of automatic requests in a session without a title. */
export const MAX_ATTEMPTS = 3;

/** Why no title is requested automatically. */
export type GuardReason =
	| "named"
	| "in_flight"
	| "attempts"
	| "not_kept"
	| "off"
	| "no_model"
	| "asked"
	| "no_topic"
	| "daily_limit"
	| NameRefusal;

export interface AutomaticDeps extends TitleContext {
	candidates(): readonly Candidate[];
	isOff(): boolean;
	budget: Pick<Budget, "attempts" | "wasRequested" | "isUsedUp">;
	landed(title: string): void;
}

/** Names an unnamed session, once. Failures are only logged. */
export function createAutomaticTitle(deps: AutomaticDeps) {
	const { ports, slot, ask, read, candidates, isOff, budget, landed, log } = deps;

	/**
	 * Returns the first reason against a title, cheapest first; undefined if the session will be named after the next run. A person who
	 * removes a name has made a choice, too.
	 */
	function whyNot(): GuardReason | undefined {
		if (newestName(ports.records())) return "named";
		if (slot.current) return "in_flight";
		if (budget.attempts() >= MAX_ATTEMPTS) return "attempts";
		if (ports.file() === undefined) return "not_kept";
		if (isOff()) return "off";
		const { stamp, ownTitle, hasTopic } = read();
		// The user's own prompt costs nothing.
		const isFree = ownTitle !== undefined;
		if (!isFree && candidates().length === 0) return "no_model";
		if (stamp === undefined || (!isFree && budget.wasRequested(stamp))) return "asked";
		if (!hasTopic) return "no_topic";
		if (!isFree && budget.isUsedUp()) return "daily_limit";
		return namingRefusal(ports);
	}

	function land(data: TitleData): void {
		const outcome = nameSession(ports, { data, mayReplace: () => false });
		log("title.written", { ok: outcome.ok, reason: outcome.ok ? undefined : outcome.reason });
		if (outcome.ok) landed(data.title);
	}

	return {
		whyNot,
		consider() {
			const reason = whyNot();
			if (reason) return log("title.skipped", { reason });
			const reading = read();
			const { stamp, ownTitle } = reading;
			const made = { source: "auto" as const, ...(stamp !== undefined && { last_message_id: stamp }) };
			if (ownTitle !== undefined) return land({ ...made, title: ownTitle });
			log("title.requested", { trigger: "auto", attempt: budget.attempts() + 1, stamp });
			void slot.start(
				"auto",
				(signal) => ask({ reading, style: "title", candidates: candidates(), signal, by: "auto" }),
				(answer: TitleOutcome) => {
					if (answer.ok) return land({ ...made, title: answer.title, model: answer.model });
					const { reason, flaw, model, status, detail } = answer;
					log("title.failed", { reason, flaw, model, http: status, detail });
				},
			);
		},
	};
}
