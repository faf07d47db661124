import type { NameRefusal } from "../session-core/log/index.ts";
import type { TitleReading } from "./reading.ts";

export const MAX_ATTEMPTS = 3;

/** Maps each reason why a session has no name to the explanation after `no name: ` in messages. */
export const WHY_UNNAMED = {
	named: "a name was chosen or removed",
	in_flight: "a request to a model is in progress",
	attempts: `all ${MAX_ATTEMPTS} automatic attempts have been used`,
	not_kept: "the session is not saved",
	no_model:
		"no available model is known to write a title for at most $0.005; set title.model, pass --title-model, or type /recap model",
	asked: "a model has already been called automatically since your last message",
	no_topic: "the session has no topic yet",
	note_soon: "the recap that is being written will also name the session",
	daily_limit: "today's limit for automatic calls has been reached",
	named_meanwhile: "another process has named the session",
	unreadable: "the session's file cannot be read",
	not_written: "the session's file cannot be written",
};

export type GuardReason = keyof typeof WHY_UNNAMED | "off";

export interface GuardFacts {
	isNamed: boolean;
	isAsking: boolean;
	hasTopicOfNote: boolean;
	isSaved: boolean;
	isOff: boolean;
	isNoteSoon: boolean;
	hasModel: boolean;
	attempts(): number;
	reading(): Pick<TitleReading, "stamp" | "hasTopic">;
	wasRequested(stamp: string): boolean;
	isUsedUp(): boolean;
	/** Reads the session file to find out whether a person has removed the session's name. */
	refusal(): NameRefusal | undefined;
}

/**
 * Returns the reason why the session may not be named now, or undefined if naming is allowed. The
 * cheapest checks come first.
 */
export function whyNotNamed(facts: GuardFacts): GuardReason | undefined {
	if (facts.isNamed) return "named";
	if (facts.isAsking) return "in_flight";
	if (!facts.hasTopicOfNote && facts.attempts() >= MAX_ATTEMPTS) return "attempts";
	if (!facts.isSaved) return "not_kept";
	if (facts.isOff) return "off";
	if (facts.hasTopicOfNote) return facts.refusal();
	if (facts.isNoteSoon) return "note_soon";
	if (!facts.hasModel) return "no_model";
	const { stamp, hasTopic } = facts.reading();
	if (stamp === undefined || facts.wasRequested(stamp)) return "asked";
	if (!hasTopic) return "no_topic";
	if (facts.isUsedUp()) return "daily_limit";
	return facts.refusal();
}
