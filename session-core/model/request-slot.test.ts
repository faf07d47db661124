import { expect, test } from "vitest";
import { createRequestSlot } from "./request-slot.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test("an answer is used once, and the slot is free again", async () => {
	const slot = createRequestSlot<"automatic" | "typed", string>("broken");
	const answers: string[] = [];
	slot.start(
		"automatic",
		async () => "yes",
		(answer) => answers.push(answer),
	);
	expect(slot.current).toBe("automatic");
	await turn();
	expect(answers).toEqual(["yes"]);
	expect(slot.current).toBeUndefined();
});

test("what was dropped is aborted, and its answer never used", async () => {
	const slot = createRequestSlot<"automatic" | "typed", string>("broken");
	const answers: string[] = [];
	let aborted = false;
	const ask = (signal: AbortSignal) =>
		new Promise<string>((resolve) => {
			signal.addEventListener("abort", () => {
				aborted = true;
				resolve("late");
			});
		});
	slot.start("automatic", ask, (answer) => answers.push(answer));
	slot.start(
		"typed",
		async () => "typed",
		(answer) => answers.push(answer),
	);
	expect(slot.current).toBe("typed");
	await turn();
	expect(aborted).toBe(true);
	expect(answers).toEqual(["typed"]);
	slot.start("typed", ask, (answer) => answers.push(answer));
	slot.drop();
	await turn();
	expect(answers).toEqual(["typed"]);
});

test("an asking that breaks is an answer, too", async () => {
	const slot = createRequestSlot<"automatic" | "typed", string>("broken");
	const answers: string[] = [];
	slot.start(
		"automatic",
		() => Promise.reject(new Error("a bug")),
		(answer) => answers.push(answer),
	);
	await turn();
	expect(answers).toEqual(["broken"]);
});
