import { MAX_ATTEMPTS } from "./limits.ts";

/** Why no title is requested automatically. */
export type GuardReason =
	| "named"
	| "in_flight"
	| "attempts"
	| "not_interactive"
	| "not_kept"
	| "off"
	| "no_model"
	| "asked"
	| "no_topic"
	| "daily_limit";

/**
 * The facts that determine whether a title is requested, cheapest first. Each function is called only if no earlier function gave a reason
 * not to request a title.
 */
export interface GuardFacts {
	/** Whether the session has or had a name. A person who removes a name has made a choice, too. */
	isNamed(): boolean;
	isInFlight(): boolean;
	/** Returns the number of automatic requests in this session so far. */
	attempts(): number;
	/** Whether a user sees the session. */
	isInteractive(): boolean;
	/** Whether the session is saved, so that it appears in lists. */
	isKept(): boolean;
	isOff(): boolean;
	/** Whether a model may be called automatically. */
	hasModel(): boolean;
	/** Whether the automatic request for this state has been made. */
	wasRequested(): boolean;
	hasTopic(): boolean;
	isOverLimit(): boolean;
}

/** Returns the first reason not to request a title now; undefined if one may be requested. */
export function guard(facts: GuardFacts): GuardReason | undefined {
	if (facts.isNamed()) return "named";
	if (facts.isInFlight()) return "in_flight";
	if (facts.attempts() >= MAX_ATTEMPTS) return "attempts";
	if (!facts.isInteractive()) return "not_interactive";
	if (!facts.isKept()) return "not_kept";
	if (facts.isOff()) return "off";
	if (!facts.hasModel()) return "no_model";
	if (facts.wasRequested()) return "asked";
	if (!facts.hasTopic()) return "no_topic";
	return facts.isOverLimit() ? "daily_limit" : undefined;
}
