import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { attachTerminal, createSplitReports, focusReports, inputHandler } from "./terminal.ts";

const ALONE = { useFocus: true, areHosts: () => false };

function recorder() {
	const seen: string[] = [];
	return {
		seen,
		events: {
			focusIn: () => seen.push("in"),
			focusOut: () => seen.push("out"),
			key: () => seen.push("key"),
		},
	};
}

describe("raw input", () => {
	test("focus reports are consumed, keystrokes pass", () => {
		const { seen, events } = recorder();
		const handle = inputHandler(ALONE, events);
		expect(handle("\x1b[O")).toEqual({ consume: true });
		expect(handle("\x1b[I")).toEqual({ consume: true });
		expect(handle("a")).toBeUndefined();
		expect(handle("\x1b[A")).toBeUndefined();
		expect(seen).toEqual(["out", "in", "key", "key"]);
	});

	test("the host's fullscreen mode also gets the reports, and mouse events do not count as typing", () => {
		const { seen, events } = recorder();
		const handle = inputHandler({ useFocus: true, areHosts: () => true }, events);
		const mouse = ["\x1b[<64;10;5M", "\x1b[<0;10;5m", "\x1b[<35;11;5M", "\x1b[M !!"];
		for (const data of ["\x1b[O", "\x1b[I", ...mouse, "a"]) expect(handle(data)).toBeUndefined();
		expect(seen).toEqual(["out", "in", "key"]);
	});
});

describe("focus reports", () => {
	test("are switched on and off once, and no listener is left at the end", () => {
		const before = process.listenerCount("exit");
		const written: string[] = [];
		const reports = focusReports(
			(data) => written.push(data),
			() => false,
		);
		reports.on();
		reports.on();
		reports.off();
		reports.on();
		reports.dispose();
		expect(written).toEqual(["\x1b[?1004h", "\x1b[?1004l", "\x1b[?1004h", "\x1b[?1004l"]);
		expect(process.listenerCount("exit")).toBe(before);
	});

	test("stay on for the host's fullscreen mode and after it ends", () => {
		const written: string[] = [];
		let areHosts = true;
		const reports = focusReports(
			(data) => written.push(data),
			() => areHosts,
		);
		reports.on();
		// The host's own switch-off came just before; then it goes on in regular mode.
		reports.off();
		areHosts = false;
		reports.on();
		areHosts = true;
		reports.dispose();
		expect(written).toEqual(["\x1b[?1004h", "\x1b[?1004l", "\x1b[?1004h"]);
	});
});

test("focus reports stay off while an external editor has the terminal, and are on after it", () => {
	const written: string[] = [];
	const terminal = {
		write: (data: string) => void written.push(data),
		start: () => undefined,
		stop: () => undefined,
	};
	const tui = { terminal, stopped: true };
	const ui = {
		setWidget: (_key: string, factory: unknown) => typeof factory === "function" && factory(tui, {}),
		onTerminalInput: () => () => undefined,
	};
	const nothing = () => undefined;
	const events = { focusOut: nothing, focusIn: nothing, lost: nothing, gained: nothing, key: nothing };
	const link = attachTerminal(ui as never, true, events);
	expect(written).toEqual([]);
	terminal.start();
	expect(written).toEqual(["\x1b[?1004h"]);
	link.detach();
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What becomes of input pieces: `in` and `out` are reports, everything else reached the host, in this order. */
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
