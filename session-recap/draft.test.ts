import { describe, expect, test } from "vitest";
import { modelOf } from "../session-core/model/model.test-support.ts";
import { savedRecap } from "../session-core/recap/stored-records.ts";
import type { Language } from "../session-core/text/language.ts";
import { timelineOf } from "../session-core/timeline/log.test-support.ts";
import { askForRecap, type RecapAnswer } from "./ask.ts";
import { createDrafter, type Draft, draftView, widgetLines } from "./draft.ts";
import type { RecapReading } from "./reading.ts";

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

/** A reading of which the drafter uses the stamp and the lines. */
const reading = (stamp: string) =>
	({
		stamp,
		lines: [`offline ${stamp}`],
		artifacts: "src/a.ts · 1a2b3c4",
		saved: undefined,
	}) as unknown as RecapReading; // the rest is not read here

function drafter() {
	const pending: { signal: AbortSignal; answer(answer: RecapAnswer): void; break(): void }[] = [];
	const saved: string[] = [];
	const changes: Draft[] = [];
	const it = createDrafter({
		ask: (_, signal) =>
			new Promise((resolve, reject) =>
				pending.push({ signal, answer: resolve, break: () => reject(new Error("bug")) }),
			),
		save: (stamp) => saved.push(stamp),
		changed: (draft) => changes.push(draft),
	});
	return { it, pending, saved, changes };
}
const good: RecapAnswer = { ok: true, text: "Better.", model: "p/m" };
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("drafts", () => {
	test("are offline at once and are replaced by the model's answer", async () => {
		const { it, pending, saved, changes } = drafter();
		const draft = it.open(reading("m1"));
		it.improve(draft, reading("m1"), "auto");
		expect(draftView(draft)).toEqual({ lines: ["offline m1"], offline: true });
		pending[0]?.answer(good);
		await settled();
		expect(draftView(draft)).toEqual({ lines: ["Better.", "src/a.ts · 1a2b3c4"], offline: false });
		expect(saved).toEqual(["m1"]);
		expect(changes).toEqual([draft]);
	});

	test("a newer draft aborts the older one, whose late answer is never used", async () => {
		const { it, pending, saved, changes } = drafter();
		const old = it.open(reading("m1"));
		it.improve(old, reading("m1"), "auto");
		it.improve(it.open(reading("m2")), reading("m2"), "auto");
		expect(pending[0]?.signal.aborted).toBe(true);
		pending[0]?.answer(good);
		await settled();
		expect(draftView(old).offline).toBe(true);
		expect([...saved, ...changes]).toEqual([]);
	});

	test("a bug during the call leaves the offline text", async () => {
		const { it, pending } = drafter();
		const draft = it.open(reading("m1"));
		it.improve(draft, reading("m1"), "auto");
		pending[0]?.break();
		await settled();
		expect(draft).toMatchObject({ answer: undefined, failure: { reason: "internal_error" } });
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
