import { join } from "node:path";
import { expect, test } from "vitest";
import { put, SessionText, useTemporaryFolder } from "../../session-core/store/store.test-support.ts";
import { continuationOf, takeOrder } from "./ordered.ts";

const folder = useTemporaryFolder();

test.each([
	["next", { prompt: undefined, send: false }],
	["text:Fix it", { prompt: "Fix it", send: false }],
	["other", undefined],
	[undefined, undefined],
])("%s is taken once", async (value, continuation) => {
	const env = value === undefined ? {} : { PI_SESSION_SUITE_RESUME: value };
	const order = takeOrder(env);
	expect(order && (await continuationOf(order, undefined))).toEqual(continuation);
	expect(env).toEqual({});
});

test("a prompt that is too long to be handed over is read from the parent, whole", async () => {
	const long = `${"Fix the parser, all of it.\n".repeat(20_000)}The end.`;
	const parent = put(join(folder(), "parent.jsonl"), new SessionText({ id: "p" }).user(long).toString());
	const order = takeOrder({ PI_SESSION_SUITE_RESUME: "entry:e0000000" });
	if (order === undefined) throw new Error("no order");
	expect((await continuationOf(order, parent))?.prompt === long).toBe(true);
	expect(await continuationOf(order, undefined)).toBeUndefined();
	expect(await continuationOf(order, join(folder(), "gone.jsonl"))).toBeUndefined();
	expect(await continuationOf({ type: "entry", id: "none" }, parent)).toBeUndefined();
});
