import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { attachTerminal, createSplitReports } from "./terminal.ts";

test.each([
	[true, true],
	[false, true],
	[false, false],
])("focus reports are on only while pi owns the terminal: used %j, stopped %j", (useFocus, stopped) => {
	const written: string[] = [];
	const nothing = () => undefined;
	const terminal = { write: (data: string) => void written.push(data), start: nothing, stop: nothing };
	const tui = { terminal, stopped };
	const ui = {
		setWidget: (_key: string, factory: unknown) => typeof factory === "function" && factory(tui, {}),
		onTerminalInput: () => () => undefined,
	};
	const names = ["focusOut", "focusIn", "lost", "gained", "key", "mouse"];
	const events = Object.fromEntries(names.map((name) => [name, nothing]));
	const link = attachTerminal(ui as never, useFocus, events as never);
	expect(written).toEqual([]);
	terminal.start();
	expect(written).toEqual(useFocus ? ["\x1b[?1004h"] : []);
	link.detach();
	expect(written).toEqual(useFocus ? ["\x1b[?1004h", "\x1b[?1004l"] : []);
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns what becomes of pieces of input: `in` and `out` are focus reports; the rest is typed. */
function outcome(pieces: readonly (string | number)[]): string[] {
	const seen: string[] = [];
	const split = createSplitReports((data) => seen.push(data));
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
	["Escape", ["\x1b"], ["\x1b"]],
	["Escape, then a report in pieces", ["\x1b", 20, "\x1b", 20, "[", "O"], ["\x1b", "out"]],
	["Escape, then text", ["\x1b", 20, "h", "i"], ["\x1b", "h", "i"]],
	["Escape, then an arrow in pieces", ["\x1b", 20, "[", "A"], ["\x1b", "[", "A"]],
	["Escape, then typed text", ["\x1b", 300, "[", "O"], ["\x1b", "[", "O"]],
	["Alt and a key", ["\x1bn", "\x1b\x1b"], ["\x1bn", "\x1b\x1b"]],
])("%s", (_, pieces, expected) => {
	expect(outcome(pieces)).toEqual(expected);
});
