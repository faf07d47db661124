import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type AskPorts, askModel, createRequestSlot, type ModelQuestion } from "./ask.ts";
import type { PlannedCall } from "./budget.ts";
import type { Candidate } from "./choose-model.ts";
import { type CallFailure, describeFailure } from "./failure.ts";
import { modelOf } from "./model.test-support.ts";
import type { SideCallResult } from "./side-call.ts";

beforeEach(() => void vi.spyOn(performance, "now").mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

const candidate = (id: string): Candidate => ({
	model: modelOf({ id, maxTokens: 4_000 }),
	source: "active model",
});
const usage = { input: 1, output: 1, cost: 0 };
const failed = (reason: CallFailure): SideCallResult => ({ ok: false, reason, status: 400, usage });
const answered: SideCallResult = { ok: true, text: "yes", usage };

async function ask(
	results: SideCallResult[],
	{ question, ports }: { question?: Partial<ModelQuestion>; ports?: Partial<AskPorts> } = {},
) {
	const deadlines: (number | undefined)[] = [];
	const limits: (number | undefined)[] = [];
	const planned: PlannedCall[] = [];
	const settled: SideCallResult[] = [];
	const answer = await askModel(
		{
			state: "m1",
			by: "auto",
			candidates: ["a", "b", "c"].map(candidate),
			request: { systemPrompt: "s", prompt: "p" },
			signal: new AbortController().signal,
			isAnswer: (text) => text === "yes",
			...question,
		},
		{
			level: () => "medium",
			call: async ({ deadlineMs, effort }) => {
				deadlines.push(deadlineMs);
				limits.push(effort.maxTokens);
				return results.shift() ?? answered;
			},
			budget: {
				reserve: (call) => {
					planned.push(call);
					return { ok: true, settle: (result) => settled.push(result) };
				},
			},
			...ports,
		},
	);
	return { answer, deadlines, limits, planned, settled, models: planned.map(({ model }) => model.id) };
}

test("only the first candidate that answers is called, with its share of 24 seconds, and its cost is reserved", async () => {
	const { answer, models, settled, deadlines, planned } = await ask([answered]);
	expect(planned).toMatchObject([{ state: "m1", by: "auto", characters: 2, maxTokens: 300 }]);
	expect(answer).toEqual({ ok: true, text: "yes", model: "p/a" });
	expect([models, settled, deadlines]).toEqual([["a"], [answered], [8_000]]);
});

test.each<CallFailure>(["no_credentials", "unsupported", "provider_error", "timeout", "empty"])(
	"after %s, the next candidate is called, as part of the same question",
	async (reason) => {
		const { answer, models, planned } = await ask([failed(reason), answered]);
		expect(models).toEqual(["a", "b"]);
		expect(planned[0]?.question).toBe(planned[1]?.question);
		const tried = [{ reason, model: "p/a", status: 400, detail: undefined }];
		expect(answer).toEqual({ ok: true, text: "yes", model: "p/b", tried });
	},
);

test("if no candidate answers, the failure names each of them", async () => {
	const { answer, models } = await ask([failed("provider_error"), failed("timeout"), failed("empty")]);
	expect(models).toEqual(["a", "b", "c"]);
	expect(answer).toMatchObject({ ok: false, reason: "empty", model: "p/c" });
	if (answer.ok) return;
	expect(describeFailure({ ...answer, reason: "empty" }, answer.model)).toBe(
		"p/a failed (400). p/b did not answer in time (400). p/c gave no usable answer (400). Try again, or choose another model.",
	);
});

test("after an abort or a limit, no other candidate is called", async () => {
	const controller = new AbortController();
	const call = async () => {
		controller.abort();
		return failed("aborted");
	};
	const aborted = await ask([], { question: { signal: controller.signal }, ports: { call } });
	expect(aborted.models).toEqual(["a"]);
	let reservations = 0;
	const reserve = () =>
		++reservations > 1
			? ({ ok: false, reason: "daily_limit" } as const)
			: ({ ok: true, settle: () => undefined } as const);
	const { answer } = await ask([failed("provider_error")], { ports: { budget: { reserve } } });
	expect([answer, reservations]).toEqual([
		expect.objectContaining({ reason: "provider_error", model: "p/a" }),
		2,
	]);
});

test("each candidate has an equal share of the time that is left", async () => {
	const times = [0, 0, 0, 8_000, 8_000, 23_000, 23_000];
	vi.spyOn(performance, "now").mockImplementation(() => times.shift() ?? 99_999);
	const { deadlines } = await ask([failed("timeout"), failed("timeout"), failed("timeout")]);
	expect(deadlines).toEqual([8_000, 8_000, 1_000]);
});

describe("a reasoning level that the server refuses", () => {
	const thinking = (id: string): Candidate => ({
		model: modelOf({ id, reasoning: true, maxTokens: 4_000 }),
		source: "active model",
	});
	const levels = async (ids: string, ...results: SideCallResult[]) => {
		const sent: string[] = [];
		const call: AskPorts["call"] = async ({ model, effort }) => {
			sent.push(`${model.id} ${effort.reasoning ?? "none"}`);
			return results.shift() ?? answered;
		};
		const { answer } = await ask([], {
			question: { candidates: ids.split(" ").map(thinking) },
			ports: { call },
		});
		expect(answer.ok).toBe(true);
		return sent.join(", ");
	};
	const refused = failed("effort_refused");

	test("is left out once more, and never sent to this model again", async () => {
		expect(await levels("strict", refused)).toBe("strict medium, strict none");
		expect(await levels("strict")).toBe("strict none");
	});

	test("is not the end if the server also refuses the request without it", async () => {
		const sent = await levels("stricter next", refused, refused);
		expect(sent).toBe("stricter medium, stricter none, next medium");
	});
});

test("no model is called after an abort, without a candidate, or without a reservation", async () => {
	const signal = AbortSignal.abort();
	expect((await ask([], { question: { signal } })).answer).toEqual({
		ok: false,
		reason: "aborted",
		model: "",
	});
	expect((await ask([], { question: { candidates: [] } })).answer).toMatchObject({ reason: "no_model" });
	const budget = { reserve: () => ({ ok: false, reason: "asked" }) as const };
	const { answer, deadlines } = await ask([], { ports: { budget } });
	expect(answer).toEqual({ ok: false, reason: "asked", model: "" });
	expect(deadlines).toEqual([]);
});

describe("an answer that was cut off", () => {
	const empty: SideCallResult = { ok: false, reason: "cut_off", usage };
	const thought: SideCallResult = { ok: true, text: "<think>The user", isCutOff: true, usage };

	test.each([
		["that is empty", empty],
		["that is only a thought", thought],
	])("%s is requested once more with room for thoughts, as part of the same request", async (_, first) => {
		const { answer, models, limits, planned, settled } = await ask([first, answered]);
		expect(answer).toEqual({ ok: true, text: "yes", model: "p/a" });
		expect(models).toEqual(["a", "a"]);
		expect(limits).toEqual([300, 2_000]);
		expect(planned.map(({ maxTokens }) => maxTokens)).toEqual([300, 2_000]);
		expect(new Set(planned.map(({ question }) => question)).size).toBe(1);
		expect(settled).toEqual([first, answered]);
	});

	test("is used if it contains the answer", async () => {
		const { answer, models } = await ask([{ ...answered, isCutOff: true }]);
		expect([answer.ok, models]).toEqual([true, ["a"]]);
	});

	test.each([
		["cut off again", [empty, thought]],
		["too slow", [empty, failed("timeout")]],
	])(
		"is never requested a third time, and the message names the setting, if the second is %s",
		async (_, results) => {
			const { answer, models } = await ask(results, { question: { candidates: [candidate("a")] } });
			expect(models).toEqual(["a", "a"]);
			expect(answer).toMatchObject({ ok: false, reason: "cut_off", model: "p/a" });
			expect(describeFailure({ reason: "cut_off" }, "p/a")).toContain('"fastModel" in session-suite.json');
		},
	);
});

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test("a new request and the end of the session abort the request in progress, whose answer is never used", async () => {
	const session = new AbortController();
	const slot = createRequestSlot<"automatic" | "typed">(session.signal);
	const answers: unknown[] = [];
	const done = (answer: unknown) => void answers.push(answer);
	const untilAborted = (signal: AbortSignal) =>
		new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("late")));
	void slot.start("automatic", untilAborted, done);
	void slot.start("typed", async () => "answer", done);
	expect(slot.current).toBe("typed");
	await turn();
	expect([answers, slot.current]).toEqual([["answer"], undefined]);
	void slot.start("typed", untilAborted, done);
	slot.drop();
	void slot.start("typed", untilAborted, done);
	session.abort();
	void slot.start("typed", async () => "late", done);
	await turn();
	expect(answers).toEqual(["answer"]);
});

test("an exception becomes an internal error with one redacted line", async () => {
	const key = `sk-ant-api03-${"AbCd1234".repeat(6)}`;
	const answers: unknown[] = [];
	const broken = () => Promise.reject(new TypeError(`${key} is not a function\nat x`));
	await createRequestSlot<"typed">(new AbortController().signal).start("typed", broken, (answer) =>
		answers.push(answer),
	);
	const detail = expect.stringMatching(/^TypeError: .* is not a function at x$/);
	expect(answers).toEqual([{ ok: false, reason: "internal_error", model: "", detail }]);
	expect(JSON.stringify(answers)).not.toContain(key);
});

test("an automatic request waits until it may begin, and a typed one does not", async () => {
	const log: string[] = [];
	const mayBegin = async () => void log.push("may begin");
	const call = async () => {
		log.push("call");
		return answered;
	};
	await ask([], { ports: { mayBegin, call } });
	await ask([], { ports: { mayBegin, call }, question: { by: "typed" } });
	expect(log).toEqual(["may begin", "call", "call"]);
});
