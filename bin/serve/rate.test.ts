import { expect, test } from "vitest";
import { RateLimiter } from "./rate.ts";

test("an address may ask so often, then so often a second; others are not in its way", () => {
	const limiter = new RateLimiter({ perSecond: 2, burst: 3 });
	const asked = (now: number, address = "a") => limiter.wait(address, now) === 0;
	expect([asked(0), asked(0), asked(0), asked(0)]).toEqual([true, true, true, false]);
	expect(asked(0, "b")).toBe(true);
	expect([asked(500), asked(500)]).toEqual([true, false]);
	expect([asked(60_000), asked(60_000), asked(60_000), asked(60_000)]).toEqual([true, true, true, false]);
	expect(asked(0)).toBe(false);
});

test("the wait is said in seconds, and thousands of addresses take no more room", () => {
	const limiter = new RateLimiter({ perSecond: 0.1, burst: 1 });
	expect([limiter.wait("a", 0), limiter.wait("a", 0)]).toEqual([0, 10]);
	for (let count = 0; count < 5_000; count++) limiter.wait(`n${count}`, 0);
	// Long forgotten: it begins anew.
	expect(limiter.wait("a", 0)).toBe(0);
});
