import { expect, test } from "vitest";
import { cancelUnless } from "./index.ts";

test("a check decides whether the host may leave the session", async () => {
	const { signal } = new AbortController();
	expect(await cancelUnless(async () => true, signal)).toBeUndefined();
	expect(await cancelUnless(async () => false, signal)).toEqual({ cancel: true });
	await expect(cancelUnless(() => Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
});

test("a switch is canceled without an error if the session was replaced during the check", async () => {
	const session = new AbortController();
	const check = async () => {
		session.abort();
		throw new Error("This extension ctx is stale");
	};
	expect(await cancelUnless(check, session.signal)).toEqual({ cancel: true });
	expect(await cancelUnless(async () => true, session.signal)).toEqual({ cancel: true });
});
