import { describe, expect, test } from "vitest";
import type { GoOutcome } from "../../session-core/live/go-to-terminal.ts";
import type { LeaseState } from "../../session-core/live/lease-files.ts";
import { goToFirst, inTurn, needsUserElsewhere } from "./next-waiting.ts";

const lease = (instance: string, state: LeaseState = "needs_you") => ({
	instance,
	state,
	sessionId: `s-${instance}`,
});
const names = (leases: readonly { instance: string }[]) => leases.map(({ instance }) => instance).join("");

describe("the next waiting session", () => {
	test.each([
		["a", "bcd"],
		["b", "cdb"],
		["d", "bcd"],
		["", "bcd"],
	])("after %j is the first of %s", (from, expected) => {
		expect(names(inTurn([lease("d"), lease("b"), lease("c")], from))).toBe(expected);
	});

	test("is reached from every tab in the same circle, so that each is visited once in a round", () => {
		const all = ["a", "b", "c", "d"];
		const visited = ["a"];
		while (visited.length < 5) {
			const here = visited.at(-1) ?? "";
			const others = all.filter((one) => one !== here).map((one) => lease(one));
			visited.push(inTurn(others, here)[0]?.instance ?? "");
		}
		expect(visited.join("")).toBe("abcda");
	});

	test.each([
		["needs_you", true],
		["failed", true],
		["working", false],
		["idle", false],
	] as const)("a session that is %s waits: %s", (state, waits) => {
		const here = { sessionId: "s-a", own: new Set(["b"]) };
		expect(needsUserElsewhere(lease("c", state), here)).toBe(waits);
		expect(needsUserElsewhere(lease("a", state), here)).toBe(false);
		expect(needsUserElsewhere(lease("b", state), here)).toBe(false);
	});

	test("is one whose terminal can be brought to the front; otherwise, the reason for the first is given", async () => {
		const no: GoOutcome = { ok: false, reason: "no_way", message: "It is open in pid 1." };
		const yes: GoOutcome = { ok: true, message: "Switched to its terminal." };
		const go = (able: string) => async (name: string) => (name === able ? yes : { ...no, message: name });
		expect(await goToFirst(["a", "b", "c"], go("b"))).toEqual({ lease: "b", outcome: yes });
		expect(await goToFirst(["a", "b"], go("none"))).toEqual({ outcome: { ...no, message: "a" } });
		expect(await goToFirst([], go("a"))).toBeUndefined();
	});
});
