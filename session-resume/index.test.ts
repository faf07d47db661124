import { expect, test } from "vitest";
import { cancelUnless } from "./index.ts";

/** A context of the host; `end` replaces its session, after which any use of the context throws. */
function context() {
	let isOver = false;
	return {
		end: () => {
			isOver = true;
		},
		get hasUI(): boolean {
			if (isOver) throw new Error("This extension ctx is stale");
			return true;
		},
	};
}

test("a check decides whether the host may leave the session", async () => {
	const ctx = context();
	expect(await cancelUnless(async () => true, ctx)).toBeUndefined();
	expect(await cancelUnless(async () => false, ctx)).toEqual({ cancel: true });
	await expect(cancelUnless(() => Promise.reject(new Error("no")), ctx)).rejects.toThrow("no");
});

test("a switch is canceled without an error if the session was replaced during the check", async () => {
	const ctx = context();
	const used = cancelUnless(async () => {
		ctx.end();
		return ctx.hasUI;
	}, ctx);
	expect(await used).toEqual({ cancel: true });
	expect(await cancelUnless(async () => true, ctx)).toEqual({ cancel: true });
});
