import type { Api, Model } from "@mariozechner/pi-ai";
import { describe, expect, test } from "vitest";
import { askOnce, type StateQuestion } from "./ask-once.ts";
import type { Begun } from "./books.ts";

const model = { provider: "p", id: "m" } as Model<Api>; // only counted here
const FINE: StateQuestion = {
	stamp: "m1",
	by: "auto",
	candidates: [{ model, source: "flag" }],
	signal: new AbortController().signal,
};

function asked(question: Partial<StateQuestion>, refused?: "asked" | "daily_limit") {
	const closed: string[] = [];
	const begun: unknown[] = [];
	const begin = (it: unknown): Begun => {
		begun.push(it);
		if (refused) return { ok: false, reason: refused };
		const book = () => ({ ok: false, reason: "uncounted" }) as const;
		return { ok: true, ticket: { book, close: (outcome) => void closed.push(outcome) } };
	};
	return { closed, begun, question: { ...FINE, ...question }, books: { begin } };
}

type Answer = { ok: true } | { ok: false; reason: string };

const yes = async (): Promise<Answer> => ({ ok: true });
const no = async (): Promise<Answer> => ({ ok: false, reason: "timeout" });

describe("a state", () => {
	test.each([
		["yes", yes, "ok"],
		["no", no, "timeout"],
	] as const)("is asked about, and what came of it is booked: %s", async (_, ask, outcome) => {
		const it = asked({});
		expect(await askOnce(it.question, it.books, ask)).toEqual(await ask());
		expect([it.begun, it.closed]).toEqual([[{ stamp: "m1", by: "auto" }], [outcome]]);
	});

	test.each([
		["without a model", asked({ candidates: [] }), "no_model"],
		["that nobody wants to know of any more", asked({ signal: AbortSignal.abort() }), "aborted"],
		["that has had its call", asked({}, "asked"), "asked"],
		["over the day's limit", asked({}, "daily_limit"), "daily_limit"],
	] as const)("%s is not", async (_, it, reason) => {
		expect(await askOnce(it.question, it.books, yes)).toEqual({ ok: false, reason, model: "" });
		expect(it.closed).toEqual([]);
	});
});
