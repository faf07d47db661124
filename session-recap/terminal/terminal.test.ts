import { describe, expect, test } from "vitest";
import { inputHandler } from "./attach.ts";
import { focusReports } from "./focus-reports.ts";
import { watchOwnership } from "./ownership.ts";

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
		const handle = inputHandler(true, events);
		expect(handle("\x1b[O")).toEqual({ consume: true });
		expect(handle("\x1b[I")).toEqual({ consume: true });
		expect(handle("a")).toBeUndefined();
		expect(handle("\x1b[A")).toBeUndefined();
		expect(seen).toEqual(["out", "in", "key", "key"]);
	});

	test("with focus reports disabled they are left to whoever asked for them", () => {
		const { seen, events } = recorder();
		expect(inputHandler(false, events)("\x1b[I")).toBeUndefined();
		expect(seen).toEqual(["key"]);
	});
});

describe("focus reports", () => {
	test("are switched once each way, and off for good at the end, with no listener left", () => {
		const before = process.listenerCount("exit");
		const written: string[] = [];
		const reports = focusReports((data) => written.push(data));
		reports.on();
		reports.on();
		reports.off();
		reports.on();
		reports.dispose();
		expect(written).toEqual(["\x1b[?1004h", "\x1b[?1004l", "\x1b[?1004h", "\x1b[?1004l"]);
		expect(process.listenerCount("exit")).toBe(before);
	});
});

describe("ownership", () => {
	function owner() {
		const log: string[] = [];
		return {
			log,
			start: () => log.push("start"),
			stop: () => log.push("stop"),
			terminal: { write: () => undefined },
		};
	}

	test("is told before the host lets the terminal go and after it has it back", () => {
		const tui = owner();
		watchOwnership(tui, { lost: () => tui.log.push("lost"), gained: () => tui.log.push("gained") });
		tui.stop();
		tui.start();
		expect(tui.log).toEqual(["lost", "stop", "start", "gained"]);
	});

	test("leaves the host's object as it was", () => {
		const tui = owner();
		const { start, stop } = tui;
		watchOwnership(tui, { lost: () => undefined, gained: () => undefined })();
		expect(tui.start).toBe(start);
		expect(tui.stop).toBe(stop);
	});

	test("is silent after it was unwatched, even where somebody wrapped it in turn", () => {
		const tui = owner();
		const unwatch = watchOwnership(tui, {
			lost: () => tui.log.push("lost"),
			gained: () => tui.log.push("gained"),
		});
		const ours = tui.stop;
		tui.stop = () => ours();
		unwatch();
		tui.stop();
		expect(tui.log).toEqual(["stop"]);
	});
});
