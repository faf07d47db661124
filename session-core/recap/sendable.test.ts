import { expect, test } from "vitest";
import type { NextStep } from "./record.ts";
import { type Sendable, sendable } from "./sendable.ts";

const known = { isPlanted: false, isQuoted: false };
test.each<[NextStep["kind"], Partial<typeof known>, string | undefined]>([
	["question", {}, "needs_answer"],
	["request", {}, "needs_answer"],
	["offer", {}, "needs_answer"],
	["suggestion", {}, "needs_answer"],
	["step", {}, undefined],
	["cut_short", {}, undefined],
	["step", { isQuoted: true }, "quoted"],
	["question", { isQuoted: true }, "needs_answer"],
	["step", { isPlanted: true, isQuoted: true }, "planted"],
])("a step of the kind %s, %o, is held back: %s", (kind, origin, expected) => {
	const step = { kind, text: "Port it" };
	const sending = sendable("Port it", step, { ...known, ...origin });
	expect(sending).toEqual(expected ? { ok: false, reason: expected, step } : { ok: true, send: "Port it" });
});

test("an earlier prompt of the session is held back only if the file may come from a repository", () => {
	expect(sendable("Port it", undefined, { ...known, isQuoted: true })).toMatchObject({ ok: true });
	expect(sendable("Port it", undefined, { ...known, isPlanted: true })).toMatchObject({
		reason: "planted",
	});
});

test("text that nothing has checked does not compile as a prompt to send", () => {
	// @ts-expect-error Only a check can turn text into a prompt to send.
	const unchecked: Sendable = "Port it";
	expect(unchecked).toBe("Port it");
});
