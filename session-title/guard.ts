/** Why no title is asked for by itself. */
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

/** What the guards ask, cheapest first; later ones are only asked if the earlier ones let pass. */
export interface GuardFacts {
	/** The session has, or had, a name: one that was taken away is a choice, too. */
	isNamed(): boolean;
	isInFlight(): boolean;
	/** Calls made for this session so far. */
	attempts(): number;
	/** Somebody is in front of it. */
	isInteractive(): boolean;
	/** It will be in a list to be found again. */
	isKept(): boolean;
	isOff(): boolean;
	/** A model may be spent on it unasked. */
	hasModel(): boolean;
	/** This state of the conversation has had its call. */
	wasAsked(): boolean;
	hasTopic(): boolean;
	isOverLimit(): boolean;
}

/** Calls that a session gets until a title lands. */
export const MAX_ATTEMPTS = 3;

/** The first reason not to ask for a title now; undefined: ask. */
export function guard(facts: GuardFacts): GuardReason | undefined {
	if (facts.isNamed()) return "named";
	if (facts.isInFlight()) return "in_flight";
	if (facts.attempts() >= MAX_ATTEMPTS) return "attempts";
	if (!facts.isInteractive()) return "not_interactive";
	if (!facts.isKept()) return "not_kept";
	if (facts.isOff()) return "off";
	if (!facts.hasModel()) return "no_model";
	if (facts.wasAsked()) return "asked";
	if (!facts.hasTopic()) return "no_topic";
	return facts.isOverLimit() ? "daily_limit" : undefined;
}
