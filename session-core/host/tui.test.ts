import { expect, test } from "vitest";
import { hearFirst, type InputListener, isFullscreen, watchOwnership } from "./tui.ts";

const listener = (): InputListener => () => undefined;

test("a listener that the host has is heard first, and the others keep their order", () => {
	const [host, other, ours] = [listener(), listener(), listener()];
	const tui = { inputListeners: new Set([host, other, ours]) };
	hearFirst(tui, ours);
	hearFirst(tui, ours);
	expect([...tui.inputListeners]).toEqual([ours, host, other]);
});

test("fullscreen is what the host calls so; older hosts have no modes", () => {
	expect(isFullscreen({ mode: "fullscreen" })).toBe(true);
	expect(isFullscreen({ mode: "regular" })).toBe(false);
	expect(isFullscreen({})).toBe(false);
});

function terminal() {
	const log: string[] = [];
	return {
		log,
		start: (onInput: (data: string) => void, _onResize: () => void) => {
			log.push("start");
			onInput("typed");
		},
		stop: () => void log.push("stop"),
	};
}

const logging = (log: string[]) => ({
	lost: () => void log.push("lost"),
	gained: () => void log.push("gained"),
});

test("it is told before the host lets the terminal go and after it has it back", () => {
	const it = terminal();
	watchOwnership(it, logging(it.log));
	it.stop();
	it.start(
		(data) => it.log.push(data),
		() => undefined,
	);
	expect(it.log).toEqual(["lost", "stop", "start", "typed", "gained"]);
});

test("a terminal that is stopped twice is lost once", () => {
	const it = terminal();
	watchOwnership(it, logging(it.log));
	it.stop();
	it.stop();
	expect(it.log).toEqual(["lost", "stop", "stop"]);
});

test("reports nothing after it is unwatched, even if another wrapper was added", () => {
	const it = terminal();
	const unwatch = watchOwnership(it, logging(it.log));
	const ours = it.stop;
	it.stop = () => ours();
	unwatch();
	it.stop();
	expect(it.log).toEqual(["stop"]);
});

test("if another program has the terminal at the beginning, only its return is reported", () => {
	const it = terminal();
	watchOwnership(it, logging(it.log), false);
	it.stop();
	it.start(
		() => undefined,
		() => undefined,
	);
	expect(it.log).toEqual(["stop", "start", "gained"]);
});
