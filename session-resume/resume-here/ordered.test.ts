import { expect, test } from "vitest";
import { takeOrder } from "./ordered.ts";

test.each([
	["next", { prompt: undefined, send: false }],
	["text:Fix it", { prompt: "Fix it", send: false }],
	["other", undefined],
	[undefined, undefined],
])("%s is taken once", (value, order) => {
	const env = value === undefined ? {} : { PI_SESSION_SUITE_RESUME: value };
	expect(takeOrder(env)).toEqual(order);
	expect(env).toEqual({});
});
