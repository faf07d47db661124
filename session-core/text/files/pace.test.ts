import { expect, test } from "vitest";
import { Pace } from "./pace.ts";

test("work in slices lets other tasks run, and stops at the abort signal", async () => {
	const controller = new AbortController();
	const pace = new Pace(controller.signal);
	let others = 0;
	const tick = () => void (++others < 5 ? setImmediate(tick) : controller.abort());
	tick();
	const endless = async () => {
		for (;;) await pace.step();
	};
	await expect(endless()).rejects.toThrow("aborted");
	expect(others).toBe(5);
});
