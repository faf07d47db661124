import { expect, test } from "vitest";
import { hearFirst, type InputListener, isFullscreen } from "./tui.ts";

const listener = (): InputListener => () => undefined;

test("a listener that the host has is heard first, and the others keep their order", () => {
	const [host, other, ours] = [listener(), listener(), listener()];
	const tui = { inputListeners: new Set([host, other, ours]) };
	hearFirst(tui, ours);
	hearFirst(tui, ours);
	expect([...tui.inputListeners]).toEqual([ours, host, other]);
});

test("a listener that the host has taken off is not put back", () => {
	const host = listener();
	const tui = { inputListeners: new Set([host]) };
	hearFirst(tui, listener());
	expect([...tui.inputListeners]).toEqual([host]);
});

test("a host that keeps its listeners in another way is left alone", () => {
	const tui = { inputListeners: [listener()] };
	hearFirst(tui, listener());
	expect(tui.inputListeners).toHaveLength(1);
	hearFirst({}, listener());
});

test("fullscreen is what the host calls so; older hosts have no modes", () => {
	expect(isFullscreen({ mode: "fullscreen" })).toBe(true);
	expect(isFullscreen({ mode: "regular" })).toBe(false);
	expect(isFullscreen({})).toBe(false);
});
