import { describe, expect, test } from "vitest";
import { createClock } from "./presence-machine.ts";

const HOUR = 3_600_000;

function clockWith(steps: [wall: number, steady: number][]): number[] {
	let wall = 1_770_000_000_000;
	let steady = 5_000;
	const clock = createClock({ wall: () => wall, steady: () => steady });
	const began = clock();
	return steps.map(([byWall, bySteady]) => {
		wall += byWall;
		steady += bySteady;
		return clock() - began;
	});
}

describe("the clock of an absence", () => {
	test("does not go back with the wall clock", () =>
		expect(
			clockWith([
				[-3 * HOUR, 95_000],
				[10, 10],
			]),
		).toEqual([95_000, 95_010]));
	test("follows the wall clock only if that is ahead by more than a second", () =>
		expect(
			clockWith([
				[1_400, 400],
				[1_401, 400],
			]),
		).toEqual([400, 400 + 1_401]));
	test("includes the time that the machine sleeps", () =>
		expect(clockWith([[8 * HOUR, 20]])).toEqual([8 * HOUR]));
});
