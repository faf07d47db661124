import { describe, expect, test } from "vitest";
import { ENGLISH } from "../session-core/recap/card-words.ts";
import { recapOf } from "../session-core/recap/record.test-support.ts";
import { type Draft, type RecapView, viewOfRecord, widgetLines } from "./draft.ts";

const paint = {
	accent: (text: string) => `a(${text})`,
	bold: (text: string) => `b(${text})`,
	dim: (text: string) => `d(${text})`,
};

const shown = (more: Partial<RecapView> = {}): Draft => ({
	stamp: "m1",
	view: {
		lines: ["Fixing it.", "src/a.ts"],
		artifacts: "src/a.ts",
		offline: false,
		by: "written by p/m",
		...more,
	},
	isAsked: false,
	failure: undefined,
});
const OFFLINE = { lines: ["You asked: fix it"], artifacts: "", offline: true };

test("a recap has the terminal's own color, and only the line that names files and commits is dim", () => {
	expect(widgetLines(shown(), undefined, paint)).toEqual([
		"a(b(✦)) a(b(recap))",
		"Fixing it.",
		"d(src/a.ts)",
	]);
});

test("the header says that a text is quoted, and names the key that hides it, if one is bound", () => {
	expect(widgetLines(shown(OFFLINE), "alt+r", paint)).toEqual([
		"d(✦) a(b(recap))d( · alt+r to hide this)d( · quoted)",
		"You asked: fix it",
	]);
});

test("RPC clients get plain lines, and never more than a header and three lines", () => {
	const long = shown({ ...OFFLINE, lines: ["0", "1", "2", "3"] });
	expect(widgetLines(long, "alt+r", undefined)).toEqual(["✦ recap", "0", "1", "2"]);
});

describe("the view of a record", () => {
	const note = { generator: { type: "llm", provider: "p", model: "m" }, text: "Fixing the parser." } as const;
	const viewOf = (more: Parameters<typeof recapOf>[0]) =>
		viewOfRecord({ recap: recapOf(more), work: [] }, ENGLISH);

	test("of a note has its sentences, and the files and commits", () => {
		expect(viewOf(note)).toEqual({
			lines: ["Fixing the parser.", expect.stringContaining("a1b2c3d")],
			artifacts: expect.stringContaining("a1b2c3d"),
			offline: false,
			by: "written by p/m",
		});
	});

	test("of what a person wrote is not offline, so no model is asked", () => {
		expect(viewOf({ generator: { type: "user_edited" } })).toMatchObject({
			offline: false,
			by: "edited by you",
		});
	});
});
