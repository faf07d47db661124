import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Api, Model } from "@mariozechner/pi-ai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { LogFields } from "../debug-log.ts";
import type { CallPlan } from "../model/ask.ts";
import type { SideCallResult } from "../model/side-call.ts";
import { createBooks, type Trigger } from "./books.ts";

let agentDir: string;
beforeEach(() => {
	agentDir = mkdtempSync(join(tmpdir(), "books-"));
});
afterEach(() => rmSync(agentDir, { recursive: true, force: true }));

const cost = { input: 4, output: 0, cacheRead: 0, cacheWrite: 0 };
const PLAN: CallPlan = {
	model: { cost } as Model<Api>, // only its price is read here
	name: "p/m",
	characters: 1_000_000,
	maxTokens: 300,
	deadlineMs: 1_000,
};
const NOTHING = { input: 0, output: 0, cost: 0 };
const failed = (more: Partial<Extract<SideCallResult, { ok: false }>>): SideCallResult => ({
	ok: false,
	reason: "network",
	usage: NOTHING,
	stage: "sent",
	...more,
});

function open(limit = 10) {
	const logged: [string, LogFields][] = [];
	const told: [string, Trigger][] = [];
	const books = createBooks({
		agentDir,
		session: "s1",
		feature: "recap",
		limit,
		now: () => 1_770_000_000_000,
		log: (event, fields) => logged.push([event, fields]),
		uncounted: (problem, by) => told.push([problem, by]),
	});
	/** Ask about a state with one call that comes to `result`. */
	const ask = (stamp: string, by: Trigger, result: SideCallResult) => {
		const begun = books.begin({ stamp, by });
		if (!begun.ok) return begun.reason;
		const booked = begun.ticket.book(PLAN);
		if (booked.ok) booked.settle(result);
		begun.ticket.close(result.ok ? "ok" : result.reason);
		return booked.ok ? "asked the model" : booked.reason;
	};
	return { books, ask, logged, told };
}

describe("a call", () => {
	test.each<[string, SideCallResult, number]>([
		["as the provider reported it", { ok: true, text: "x", usage: { input: 9, output: 1, cost: 0.5 } }, 0.5],
		["by its input where the provider reported nothing", { ok: true, text: "x", usage: NOTHING }, 1],
		["by its input where it timed out", failed({ reason: "timeout" }), 1],
		["by its input where it was broken off", failed({ reason: "aborted" }), 1],
		["by its input where the answer broke in the middle", failed({ stage: "answering" }), 1],
		["by nothing where the provider refused it", failed({ reason: "rate_limited", status: 429 }), 0],
	])("is booked %s", (_, result, sum) => {
		const { books, ask } = open();
		expect(ask("m1", "auto", result)).toBe("asked the model");
		expect(books.ledger.dayTotal()).toMatchObject({ calls: 1, cost: sum, open: 0 });
		expect(books.wasAsked("m1")).toBe(true);
		expect(ask("m1", "auto", result)).toBe("asked");
	});

	test("that never left is none: its state is free again", () => {
		const { books, ask } = open();
		ask("m1", "auto", failed({ reason: "no_credentials", stage: "unsent" }));
		expect(books.ledger.dayTotal().calls).toBe(0);
		expect(books.wasAsked("m1")).toBe(false);
		expect(books.attempts()).toBe(0);
	});

	test("leaves its class and HTTP status in the log", () => {
		const { ask, logged } = open();
		ask("m1", "typed", failed({ reason: "server_error", status: 503 }));
		expect(logged).toMatchObject([
			["call.done", { feature: "recap", by: "typed", model: "p/m", outcome: "server_error", status: 503 }],
		]);
	});

	test("that the limit has no room for is not made, and its state stays free; what is typed is", () => {
		const { books, ask } = open(0.5);
		expect(ask("m1", "auto", failed({}))).toBe("daily_limit");
		expect(books.wasAsked("m1")).toBe(false);
		expect(ask("m1", "typed", failed({}))).toBe("asked the model");
	});
});

describe("where nothing can be written", () => {
	test("nobody is asked unasked, what is typed is, and each says so once", () => {
		mkdirSync(join(agentDir, "session-suite"));
		for (const name of ["usage", "asked"]) writeFileSync(join(agentDir, "session-suite", name), "");
		const { books, ask, told } = open();
		expect(books.problem()).toMatch(/Move it away|move that away/);
		expect(ask("m1", "auto", failed({}))).toBe("uncounted");
		expect(ask("m1", "typed", failed({ reason: "timeout" }))).toBe("asked the model");
		expect(told.map(([, by]) => by)).toEqual(["auto", "typed"]);
		expect(books.ledger.dayTotal()).toMatchObject({ calls: 1, cost: 1 });
	});
});
