import { expect, test } from "vitest";
import { widgetLines } from "./surface.ts";

const paint = {
	accent: (text: string) => `a(${text})`,
	bold: (text: string) => `b(${text})`,
	dim: (text: string) => `d(${text})`,
};

test("the text has the terminal's own color; a quoted text says that it is quoted", () => {
	expect(widgetLines({ lines: ["Fixing it."], offline: false }, paint)).toEqual([
		"a(b(✦)) a(b(recap))",
		"Fixing it.",
	]);
	expect(widgetLines({ lines: ["Fixing it."], offline: true }, paint)).toEqual([
		"d(✦) a(b(recap))d( · quoted)",
		"Fixing it.",
	]);
});

test("only the line that names files and commits is dim", () => {
	const view = { lines: ["Fixing it.", "src/a.ts"], artifacts: "src/a.ts", offline: false };
	expect(widgetLines(view, paint).slice(1)).toEqual(["Fixing it.", "d(src/a.ts)"]);
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
