import { describe, expect, it } from "vitest";
import { runSteps, type Steps } from "./pace.ts";
import { all } from "./session-file/session.test-support.ts";

/** Counts up for ever; says when it was closed, after one more step of its own. */
function counting() {
	const seen = { closed: false };
	const steps = (function* (): Steps<number> {
		try {
			for (let count = 0; ; count++) yield count % 2 === 0 ? count : undefined;
		} finally {
			yield;
			seen.closed = true;
		}
	})();
	return { seen, steps };
}

describe("work in slices", () => {
	it("hands on results and nothing else", async () => {
		const steps = (function* (): Steps<number> {
			yield 1;
			yield;
			yield 2;
		})();
		expect(await all(runSteps(steps))).toEqual([1, 2]);
	});

	it("lets others run between slices", async () => {
		let others = 0;
		const tick = () => {
			others++;
			if (others < 1_000) setImmediate(tick);
		};
		tick();
		for await (const count of runSteps(counting().steps, { sliceMs: 0 })) if (count > 10) break;
		expect(others).toBeGreaterThan(5);
	});

	it("ends at the signal, and closes what it had open", async () => {
		const { seen, steps } = counting();
		const controller = new AbortController();
		const results = runSteps(steps, { signal: controller.signal, sliceMs: 0 });
		await results.next();
		controller.abort();
		expect(await all(results)).toEqual([]);
		expect(seen.closed).toBe(true);
	});

	it("closes open resources when the consumer stops", async () => {
		const { seen, steps } = counting();
		for await (const _ of runSteps(steps)) break;
		expect(seen.closed).toBe(true);
	});
});
