import { expect, test } from "vitest";
import { Openings } from "./openings.ts";

test("a session that is being opened is not opened again, until that is over", () => {
	const openings = new Openings();
	expect(openings.begin("a", 0)).toBe(true);
	expect(openings.begin("a", 5_000)).toBe(false);
	expect(openings.begin("b", 5_000)).toBe(true);
	openings.forget("b");
	expect(openings.begin("b", 5_001)).toBe(true);
	expect(openings.begin("a", 10_000)).toBe(true);
	// A clock that was put back keeps nothing closed.
	expect(openings.begin("a", -90_000)).toBe(true);
});
