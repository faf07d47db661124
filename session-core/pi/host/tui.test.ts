import { expect, test } from "vitest";
import { watchOwnership } from "./tui.ts";

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

test("reports once that the host gives up the terminal, even if the host stops it twice, and that the host takes it back", () => {
	const it = terminal();
	watchOwnership(it, logging(it.log));
	it.stop();
	it.stop();
	it.start(
		(data) => it.log.push(data),
		() => undefined,
	);
	expect(it.log).toEqual(["lost", "stop", "stop", "start", "typed", "gained"]);
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
