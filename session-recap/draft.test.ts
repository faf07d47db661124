import { describe, expect, test } from "vitest";
import { savedRecap } from "../session-core/recap/stored-records.ts";
import { type Draft, widgetLines } from "./draft.ts";

const paint = {
	accent: (text: string) => `a(${text})`,
	bold: (text: string) => `b(${text})`,
	dim: (text: string) => `d(${text})`,
};

const shown = (more: Partial<Draft> = {}): Draft => ({
	stamp: "m1",
	lines: ["You asked: fix it"],
	artifacts: "src/a.ts",
	answer: { text: "Fixing it.", model: "p/m" },
	isAsked: false,
	failure: undefined,
	...more,
});

test("a recap has the terminal's own color, and only the line that names files and commits is dim", () => {
	expect(widgetLines(shown(), undefined, paint)).toEqual([
		"a(b(✦)) a(b(recap))",
		"Fixing it.",
		"d(src/a.ts)",
	]);
});

test("the header says that a text is quoted, and names the key that hides it, if one is bound", () => {
	expect(widgetLines(shown({ answer: undefined }), "alt+r", paint)).toEqual([
		"d(✦) a(b(recap))d( · alt+r to hide this)d( · quoted)",
		"You asked: fix it",
	]);
});

test("RPC clients get plain lines, and never more than a header and three lines", () => {
	const long = shown({ answer: undefined, lines: ["0", "1", "2", "3"] });
	expect(widgetLines(long, "alt+r", undefined)).toEqual(["✦ recap", "0", "1", "2"]);
});

describe("a saved recap", () => {
	const entry = (data: unknown) => ({ type: "custom", id: "c", data });
	const good = { last_message_id: "m1", text: "Fixing it.", model: "p/m" };

	test("is found only for its own state", () => {
		expect(savedRecap([entry(good)], "m1")).toEqual(good);
		expect(savedRecap([entry(good)], "m2")).toBeUndefined();
		expect(savedRecap([entry(good)], undefined)).toBeUndefined();
	});

	test("is sanitized again, and skipped if it is damaged", () => {
		const hostile = { ...good, text: "Fixing \x1b[31mit.\x07" };
		expect(savedRecap([entry(null), entry({ last_message_id: "m1" }), entry(hostile)], "m1")?.text).toBe(
			"Fixing it.",
		);
	});
});
