import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSplitReports } from "./split-reports.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What becomes of input pieces: `in` and `out` are reports, everything else reached the host, in this order. */
function outcome(pieces: readonly (string | number)[]): string[] {
	const seen: string[] = [];
	const split = createSplitReports(
		(data) => seen.push(data),
		() => seen.push("late"),
	);
	for (const piece of pieces) {
		if (typeof piece === "number") vi.advanceTimersByTime(piece);
		else {
			const taken = split.take(piece);
			if (taken === "pass") seen.push(piece);
			else if (taken !== "held") seen.push(taken === "\x1b[I" ? "in" : "out");
		}
	}
	vi.advanceTimersByTime(200);
	return seen;
}

test.each<[string, (string | number)[], string[]]>([
	["ESC, then the rest", ["\x1b", 30, "[", "O"], ["out"]],
	["three pieces", ["\x1b", 60, "[", 60, "I"], ["in"]],
	["ESC [, then the rest", ["\x1b[", 30, "I", "x"], ["in", "x"]],
	["Escape", ["\x1b"], ["\x1b"]],
	["Escape twice", ["\x1b", 20, "\x1b"], ["\x1b", "\x1b"]],
	["Escape, then a report in pieces", ["\x1b", 20, "\x1b", 20, "[", "O"], ["\x1b", "out"]],
	["Escape, then text", ["\x1b", 20, "h", "i"], ["\x1b", "h", "i"]],
	["Escape, then an arrow in pieces", ["\x1b", 20, "[", "A"], ["\x1b", "[", "A"]],
	["ESC, then the rest too late", ["\x1b", 300, "[", "O"], ["\x1b", "late", "out"]],
	["Escape, then typed text", ["\x1b", 300, "[", 5, "O"], ["\x1b", "[", "O"]],
	["Escape, then a bracket much later", ["\x1b", 3_000, "[", "O"], ["\x1b", "[", "O"]],
	["Alt and a key", ["\x1bn", "\x1b\x1b"], ["\x1bn", "\x1b\x1b"]],
	["Alt+[", ["\x1b["], ["\x1b["]],
])("%s", (_, pieces, expected) => {
	expect(outcome(pieces)).toEqual(expected);
});
