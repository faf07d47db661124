import { expect, test } from "vitest";
import { internalError } from "./failure.ts";
import { createRequestSlot } from "./request-slot.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test("a new request aborts the one in flight, whose answer is never used", async () => {
	const slot = createRequestSlot<"automatic" | "typed", string>(String);
	const answers: string[] = [];
	const done = (answer: string) => void answers.push(answer);
	const untilAborted = (signal: AbortSignal) =>
		new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("late")));
	void slot.start("automatic", untilAborted, done);
	void slot.start("typed", async () => "answer", done);
	expect(slot.current).toBe("typed");
	await turn();
	expect([answers, slot.current]).toEqual([["answer"], undefined]);
	void slot.start("typed", untilAborted, done);
	slot.drop();
	await turn();
	expect(answers).toEqual(["answer"]);
});

test("an exception becomes an internal error with one redacted line", async () => {
	const slot = createRequestSlot<"typed", unknown>(internalError);
	const answers: unknown[] = [];
	const key = [
		"sk-ant-api03",
		"AbCdEfGhIjKlMnOpQrStUvWxYz0123456789",
		"AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AA",
	].join("-");
	await slot.start(
		"typed",
		() => Promise.reject(new TypeError(`${key} is not a function\nat x`)),
		(answer) => answers.push(answer),
	);
	expect(answers).toEqual([
		{
			ok: false,
			reason: "internal_error",
			model: "",
			detail: expect.stringMatching(/^TypeError: .* is not a function at x$/),
		},
	]);
	expect(JSON.stringify(answers)).not.toContain(key);
});
