import { expect, test } from "vitest";
import { type GuardFacts, type GuardReason, guard, MAX_ATTEMPTS } from "./guard.ts";

const ORDER: [keyof GuardFacts, GuardReason][] = [
	["isNamed", "named"],
	["isInFlight", "in_flight"],
	["attempts", "attempts"],
	["isInteractive", "not_interactive"],
	["isKept", "not_kept"],
	["isOff", "off"],
	["hasModel", "no_model"],
	["wasAsked", "asked"],
	["hasTopic", "no_topic"],
	["isOverLimit", "daily_limit"],
];

const OPEN: GuardFacts = {
	isNamed: () => false,
	isInFlight: () => false,
	attempts: () => MAX_ATTEMPTS - 1,
	isInteractive: () => true,
	isKept: () => true,
	isOff: () => false,
	hasModel: () => true,
	wasAsked: () => false,
	hasTopic: () => true,
	isOverLimit: () => false,
};

const closed = (name: keyof GuardFacts) =>
	name === "attempts" ? () => MAX_ATTEMPTS : () => !(OPEN[name] as () => boolean)();

test("with every guard open a title is asked for", () => expect(guard(OPEN)).toBeUndefined());

test.each(ORDER)("%s alone is enough not to ask", (name, reason) => {
	expect(guard({ ...OPEN, [name]: closed(name) })).toBe(reason);
});

test("an earlier guard answers before a later, dearer one is looked at", () => {
	for (const [index, [name, reason]] of ORDER.entries()) {
		const later = Object.fromEntries(
			ORDER.slice(index + 1).map(([other]) => [
				other,
				() => {
					throw new Error(`${other} was looked at before ${name}`);
				},
			]),
		);
		expect(guard({ ...OPEN, ...later, [name]: closed(name) })).toBe(reason);
	}
});
