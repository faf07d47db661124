import { describe, expect, test } from "vitest";
import { modelOf } from "../session-core/model/model.test-support.ts";
import { savedRecap } from "../session-core/recap/stored-records.ts";
import type { Language } from "../session-core/text/language.ts";
import { timelineOf } from "../session-core/timeline/log.test-support.ts";
import { askForRecap } from "./ask.ts";
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

const model = (id: string) => modelOf({ id });

/** Asks two models, each of which answers with this text; `language` is the wanted one. */
async function ask(text: string, { isCutOff, language }: { isCutOff?: true; language?: Language } = {}) {
	const spent: string[] = [];
	const usage = { input: 1, output: 1, cost: 0 };
	const answer = await askForRecap(
		{
			reading: {
				question: () => ({
					ground: { input: "edited parse.ts", timeline: timelineOf([]) },
					language: { language, hint: "" },
				}),
				stamp: "m1",
			},
			projectContext: undefined,
			candidates: ["a", "b"].map((id) => ({ model: model(id), source: "flag" })),
			signal: new AbortController().signal,
			by: "auto",
		},
		{
			call: async () => ({ ok: true, text, usage, ...(isCutOff && { isCutOff }) }),
			budget: {
				reserve: ({ model }) => {
					spent.push(model.id);
					return { ok: true, settle: () => undefined };
				},
			},
		},
	);
	return { answer, spent };
}

describe("asking for a recap", () => {
	const text = "Fixing parse.ts: dates are read now.";

	test("the first candidate answers and is the only call", async () => {
		const { answer, spent } = await ask(`<recap>${text}</recap>`);
		expect(answer).toEqual({ ok: true, text, model: "p/a" });
		expect(spent).toEqual(["a"]);
	});

	test("an answer without tags or with unsupported claims is unusable and not requested again", async () => {
		for (const says of ["Fixing parse.ts.", "<recap>Edited lexer.ts for the tests now.</recap>"]) {
			const { answer, spent } = await ask(says);
			expect(answer).toMatchObject({ ok: false, reason: "unusable" });
			expect(spent).toHaveLength(1);
		}
	});

	test("a thought that used up the output is followed by one more call", async () => {
		const says = "Okay, the user wants a recap. I put it inside <recap> tags. I mention parse.ts.";
		const { answer, spent } = await ask(says, { isCutOff: true });
		expect(answer).toMatchObject({ ok: false, reason: "cut_off", model: "p/a" });
		expect(spent).toEqual(["a", "a"]);
	});

	test("an answer in the wrong script is not used", async () => {
		const wanted = async (language: Language) => (await ask(`<recap>${text}</recap>`, { language })).answer;
		expect(await wanted({ script: "Han", name: "Chinese" })).toMatchObject({ ok: false, reason: "unusable" });
		expect(await wanted({ script: "Latin", name: "German" })).toMatchObject({ ok: true });
	});
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
