import { describe, expect, test } from "vitest";
import { createSettle } from "./settle.ts";

function watched() {
	let due: (() => void) | undefined;
	const facts = { busy: false, settled: 0 };
	const settle = createSettle({
		isBusy: () => facts.busy,
		settled: () => {
			facts.settled += 1;
		},
		after: (_, callback) => {
			due = callback;
			return () => {
				due = undefined;
			};
		},
	});
	/** Let the armed timer fire; false: none is armed. */
	const pass = () => {
		const callback = due;
		due = undefined;
		callback?.();
		return callback !== undefined;
	};
	return { settle, facts, pass };
}

describe("a run is over", () => {
	test("a little after it ended, once", () => {
		const { settle, facts, pass } = watched();
		settle.ended({ failed: false });
		expect(facts.settled).toBe(0);
		pass();
		expect(facts.settled).toBe(1);
		expect(pass()).toBe(false);
	});

	test("not while the agent is still at it, or something is queued", () => {
		const { settle, facts, pass } = watched();
		facts.busy = true;
		settle.ended({ failed: false });
		pass();
		pass();
		expect(facts.settled).toBe(0);
		facts.busy = false;
		pass();
		expect(facts.settled).toBe(1);
	});

	test("not if the next one has begun, nor after the end of the session", () => {
		for (const stop of ["started", "cancel"] as const) {
			const { settle, facts, pass } = watched();
			settle.ended({ failed: false });
			settle[stop]();
			expect(pass()).toBe(false);
			expect(facts.settled).toBe(0);
		}
	});

	test("not after a failure, until a later run ends well", () => {
		const { settle, facts, pass } = watched();
		settle.ended({ failed: true });
		expect(pass()).toBe(false);
		settle.over();
		expect(facts.settled).toBe(0);
		settle.ended({ failed: false });
		pass();
		expect(facts.settled).toBe(1);
	});

	test("at once where the host says so, and not a second time by the timer", () => {
		const { settle, facts, pass } = watched();
		settle.ended({ failed: false });
		settle.over();
		expect(facts.settled).toBe(1);
		expect(pass()).toBe(false);
	});
});
