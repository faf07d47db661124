import type { Api, AssistantMessage, Model } from "@mariozechner/pi-ai";
import { describe, expect, test } from "vitest";
import { sideCall } from "../session-core/model/side-call.ts";
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

const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 };
const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const model = (id: string) =>
	({
		provider: "p",
		id,
		maxTokens: 0,
		cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
	}) as Model<Api>; // nothing else is read

/** What a model does: says something, has no credentials, or never answers. */
type Behaviour = { says: string; isCutOff?: true } | { fails: string } | "hangs";

function message(behaviour: Exclude<Behaviour, "hangs">): AssistantMessage {
	const failure = "fails" in behaviour ? behaviour.fails : undefined;
	const end = "isCutOff" in behaviour ? "length" : "stop";
	return {
		role: "assistant",
		content: "says" in behaviour ? [{ type: "text", text: behaviour.says }] : [],
		api: "openai-completions",
		provider: "p",
		model: "m",
		usage: { ...usage, cost },
		stopReason: failure === undefined ? end : "error",
		...(failure === undefined ? {} : { errorMessage: failure }),
		timestamp: 0,
	};
}

function ask(
	models: Record<string, Behaviour>,
	controller = new AbortController(),
	language: Language | undefined = undefined,
) {
	const spent: string[] = [];
	const answer = askForRecap(
		{
			reading: {
				question: () => ({
					ground: { input: "edited parse.ts", timeline: timelineOf([]) },
					language: { language, hint: "" },
				}),
				stamp: "m1",
			},
			projectContext: undefined,
			choice: {
				candidates: Object.keys(models).map((id) => ({ model: model(id), source: "flag" })),
				unusable: [],
			},
			signal: controller.signal,
			by: "auto",
		},
		{
			call: (request) =>
				sideCall(
					{
						streamSimple: ({ id }) => ({
							result: async () => {
								const behaviour = models[id] ?? "hangs";
								return behaviour === "hangs" ? new Promise<never>(() => undefined) : message(behaviour);
							},
						}),
					},
					{ ...request, sessionId: "s1" },
				),
			budget: {
				reserve: ({ model }) => {
					spent.push(`p/${model.id}`);
					return { ok: true, settle: () => undefined };
				},
			},
		},
	);
	return { answer, spent };
}

describe("asking for a recap", () => {
	test("the first candidate answers and is the only call", async () => {
		const { answer, spent } = ask({
			a: { says: "<recap>Fixing parse.ts: dates are read now.</recap>" },
			b: { says: "never" },
		});
		expect(await answer).toEqual({ ok: true, text: "Fixing parse.ts: dates are read now.", model: "p/a" });
		expect(spent).toEqual(["p/a"]);
	});

	test("missing credentials move on to the next model, an abort does not", async () => {
		const next = ask({
			a: { fails: "401" },
			b: { says: "<recap>Fixing parse.ts, the parser of dates.</recap>" },
		});
		expect(await next.answer).toMatchObject({ ok: true, model: "p/b" });
		const controller = new AbortController();
		const dropped = ask(
			{ a: "hangs", b: { says: "<recap>Fixing parse.ts, the parser of dates.</recap>" } },
			controller,
		);
		controller.abort();
		expect(await dropped.answer).toEqual({ ok: false, reason: "aborted", model: "p/a" });
		expect(dropped.spent).toEqual(["p/a"]);
	});

	test("an answer without tags or with unsupported claims is unusable and not requested again", async () => {
		for (const text of ["Fixing parse.ts.", "<recap>Edited lexer.ts for the tests now.</recap>"]) {
			const { answer, spent } = ask({
				a: { says: text },
				b: { says: "<recap>Fixing parse.ts, the parser of dates.</recap>" },
			});
			expect(await answer).toMatchObject({ ok: false, reason: "unusable" });
			expect(spent).toHaveLength(1);
		}
	});

	test("a thought that used up the output is followed by one more call", async () => {
		const says = "Okay, the user wants a recap. I put it inside <recap> tags. I mention parse.ts.";
		const { answer, spent } = ask({ a: { says, isCutOff: true }, b: { says: "never" } });
		expect(await answer).toMatchObject({ ok: false, reason: "cut_off", model: "p/a" });
		expect(spent).toEqual(["p/a", "p/a"]);
	});

	test("an answer in the wrong script is not used", async () => {
		const says = { a: { says: "<recap>Fixing parse.ts: dates are read now.</recap>" } };
		const wanted = (language: Language) => ask(says, undefined, language).answer;
		expect(await wanted({ script: "Han", name: "Chinese" })).toMatchObject({ ok: false, reason: "unusable" });
		expect(await wanted({ script: "Latin", name: "German" })).toMatchObject({ ok: true });
	});

	test("no candidate is no model", async () => {
		expect(await ask({}).answer).toMatchObject({ ok: false, reason: "no_model" });
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

	test("one state has one request in flight", () => {
		const { it, pending } = drafter();
		const draft = it.open(reading("m1"));
		it.improve(draft, reading("m1"), "auto");
		it.improve(it.open(reading("m1")), reading("m1"), "typed");
		expect(pending).toHaveLength(1);
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

	test("a dropped request is aborted and its answer never used", async () => {
		const { it, pending, changes } = drafter();
		const draft = it.open(reading("m1"));
		it.improve(draft, reading("m1"), "auto");
		it.drop();
		pending[0]?.answer(good);
		await settled();
		expect(pending[0]?.signal.aborted).toBe(true);
		expect(draft.status).toBe("offline");
		expect(changes).toEqual([]);
	});

	test("a bug during the call leaves the offline text", async () => {
		const { it, pending } = drafter();
		const draft = it.open(reading("m1"));
		it.improve(draft, reading("m1"), "auto");
		pending[0]?.break();
		await settled();
		expect(draft).toMatchObject({ status: "failed", answer: undefined });
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
