import { expect, test } from "vitest";
import { MAX_ATTEMPTS } from "./limits.ts";
import { type GuardFacts, guard } from "./when-to-request.ts";

const OPEN: GuardFacts = {
	isNamed: () => false,
	isInFlight: () => false,
	attempts: () => MAX_ATTEMPTS - 1,
	isInteractive: () => true,
	isKept: () => true,
	isOff: () => false,
	hasModel: () => true,
	wasRequested: () => false,
	hasTopic: () => true,
	isOverLimit: () => false,
};

test("a title is requested if no reason speaks against it", () => expect(guard(OPEN)).toBeUndefined());

test("one reason is enough, and more expensive ones are not checked after it", () => {
	const unread = () => expect.unreachable();
	const later = { wasAsked: unread, hasTopic: unread, isOverLimit: unread };
	expect(guard({ ...OPEN, ...later, isNamed: () => true })).toBe("named");
	expect(guard({ ...OPEN, ...later, attempts: () => MAX_ATTEMPTS })).toBe("attempts");
	expect(guard({ ...OPEN, ...later, isInteractive: () => false })).toBe("not_interactive");
	expect(guard({ ...OPEN, ...later, hasModel: () => false })).toBe("no_model");
	expect(guard({ ...OPEN, hasTopic: () => false })).toBe("no_topic");
	expect(guard({ ...OPEN, isOverLimit: () => true })).toBe("daily_limit");
});
