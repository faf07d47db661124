import { expect, test } from "vitest";
import { widgetLines } from "./surface.ts";

const paint = {
	accent: (text: string) => `a(${text})`,
	bold: (text: string) => `b(${text})`,
	dim: (text: string) => `d(${text})`,
};

test("a model's recap has a bright glyph, the offline one a dim glyph; the rest is the same", () => {
	expect(widgetLines({ lines: ["Fixing it."], offline: false }, paint)).toEqual([
		"a(b(✦)) a(b(recap))",
		"d(Fixing it.)",
	]);
	expect(widgetLines({ lines: ["Fixing it."], offline: true }, paint)).toEqual([
		"d(✦) a(b(recap))",
		"d(Fixing it.)",
	]);
});

test("the header names the key that hides it, if one is bound", () => {
	const [header] = widgetLines({ lines: ["Fixing it."], offline: false, hide: "alt+r to hide this" }, paint);
	expect(header).toBe("a(b(✦)) a(b(recap))d( · alt+r to hide this)");
});

test("RPC clients get plain lines", () => {
	expect(
		widgetLines({ lines: ["Fixing it."], offline: true, hide: "alt+r to hide this" }, undefined),
	).toEqual(["✦ recap", "Fixing it."]);
});

test("it is never more than a header and three lines", () => {
	expect(widgetLines({ lines: Array.from({ length: 20 }, String), offline: true }, undefined)).toHaveLength(
		4,
	);
});
