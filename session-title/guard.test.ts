import { expect, test } from "vitest";
import { type GuardFacts, type GuardReason, whyNotNamed } from "./guard.ts";

const UNNAMED: GuardFacts = {
	isNamed: false,
	isAsking: false,
	hasTopicOfNote: false,
	isSaved: true,
	isOff: false,
	isNoteSoon: false,
	hasModel: true,
	attempts: () => 2,
	reading: () => ({ stamp: "m1", hasTopic: true }),
	wasRequested: (stamp) => stamp !== "m1",
	isUsedUp: () => false,
	refusal: () => undefined,
};
const NOTE = { hasTopicOfNote: true };

test.each<[GuardReason | undefined, Partial<GuardFacts>]>([
	[undefined, {}],
	["named", { isNamed: true }],
	["in_flight", { isAsking: true }],
	["attempts", { attempts: () => 3 }],
	["not_kept", { isSaved: false }],
	["off", { isOff: true }],
	["off", { ...NOTE, isOff: true }],
	["note_soon", { isNoteSoon: true }],
	["no_model", { hasModel: false }],
	["asked", { reading: () => ({ stamp: "m2", hasTopic: true }) }],
	["asked", { reading: () => ({ stamp: undefined, hasTopic: true }) }],
	["no_topic", { reading: () => ({ stamp: "m1", hasTopic: false }) }],
	["daily_limit", { isUsedUp: () => true }],
	["named_meanwhile", { refusal: () => "named_meanwhile" }],
	["unreadable", { ...NOTE, refusal: () => "unreadable" }],
	// The topic of a note costs no further call.
	[undefined, { ...NOTE, attempts: () => 3, hasModel: false, isUsedUp: () => true, isNoteSoon: true }],
])("a session is not named because of %s: %o", (reason, facts) => {
	expect(whyNotNamed({ ...UNNAMED, ...facts })).toBe(reason);
});
