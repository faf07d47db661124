import { execFile, execFileSync } from "node:child_process";
import {
	appendFileSync,
	chmodSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { useTemporaryFolder } from "../../log/session.test-support.ts";
import type { LogFields } from "../../text/debug-log.ts";
import { Budget, type BudgetOptions, type PlannedCall } from "./budget.ts";
import { modelOf } from "./model.test-support.ts";
import type { SideCallResult } from "./side-call.ts";

const agentDir = useTemporaryFolder();
const suite = () => join(agentDir(), "session-suite");
const folder = () => join(suite(), "usage");
const NOON = Date.UTC(2026, 4, 17, 12);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const file = () => join(folder(), "2026-05-17.jsonl");

const costing = (input: number, output = 0) =>
	modelOf({ cost: { input, output, cacheRead: 0, cacheWrite: 0 } });

/**
 * The input of this call is a quarter of a million tokens and costs 0.25. The longest possible answer
 * costs another 0.25.
 */
const CALL: Omit<PlannedCall, "question"> = {
	state: "m1",
	by: "auto",
	model: costing(1, 1),
	characters: 1_000_000,
	maxTokens: 250_000,
};
const NOTHING = { input: 0, output: 0, cost: 0 };
const DONE: SideCallResult = { ok: true, text: "x", usage: { input: 1_000, output: 50, cost: 0.125 } };
const failed = (more: Partial<Extract<SideCallResult, { ok: false }>> = {}): SideCallResult => ({
	ok: false,
	reason: "provider_error",
	usage: NOTHING,
	...more,
});

let questions = 0;

/** Opens the budget of one process. Processes share nothing but the folder. */
function open(more: Partial<BudgetOptions> & { at?: number } = {}) {
	const logged: [string, LogFields][] = [];
	const notices: string[] = [];
	const keys = new Set<string>();
	const budget = new Budget({
		agentDir: agentDir(),
		session: "s1",
		feature: "recap",
		limit: () => 10,
		now: () => more.at ?? NOON,
		log: (event, fields) => logged.push([event, fields]),
		ui: { notify: (text) => void notices.push(text) },
		sayOnce: (key, say) => {
			if (!keys.has(key)) say();
			keys.add(key);
		},
		...more,
	});
	/** Makes a call, from its reservation to its result. */
	const ask = (call: Partial<PlannedCall> = {}, result: SideCallResult | "dies" = DONE): string => {
		const reserved = budget.reserve({ question: `q${questions++}`, ...CALL, ...call });
		if (reserved.ok && result !== "dies") reserved.settle(result);
		return reserved.ok ? "made" : reserved.reason;
	};
	return { budget, ask, logged, notices };
}

describe("spending", () => {
	test("is summed for the day over all processes, and for a session", () => {
		open().ask();
		open({ session: "s2", feature: "title" }).ask();
		open({ at: NOON - DAY }).ask({ state: "m0" });
		const { budget } = open();
		expect(budget.spentToday("all")).toMatchObject({ calls: 2, cost: 0.25 });
		expect(budget.spentToday("session")).toMatchObject({ calls: 1, cost: 0.125 });
		expect(readdirSync(folder()).sort()).toEqual(["2026-05-16.jsonl", "2026-05-17.jsonl"]);
	});

	test("includes the most that a call without a result may cost", () => {
		open().ask({}, "dies");
		const later = open({ at: NOON + HOUR }).budget.spentToday("all");
		expect(later).toMatchObject({ calls: 1, cost: 0.5, estimated: 1 });
	});

	const answered = (usage: typeof NOTHING): SideCallResult => ({ ok: true, text: "x", usage });
	test.each<[string, SideCallResult, number, number]>([
		["as the provider reported it", DONE, 0.125, 0],
		["by its input if the provider reported nothing", answered(NOTHING), 0.25, 1],
		["by its input if it reported nonsense", answered({ input: 1, output: -5, cost: Number.NaN }), 0.25, 1],
		["by its input after a timeout", failed({ reason: "timeout" }), 0.25, 1],
		["by its input after an abort", failed({ reason: "aborted" }), 0.25, 1],
		["by nothing if the provider refused it", failed(), 0, 0],
	])("counts a call %s", (_, result, cost, estimated) => {
		const { budget, ask } = open();
		ask({}, result);
		expect(budget.spentToday("all")).toMatchObject({ calls: 1, cost, estimated });
	});

	test("includes a title request that the next prompt aborted, but it is no attempt", () => {
		const { budget, ask } = open({ feature: "title" });
		ask({}, failed({ reason: "aborted" }));
		expect(budget.spentToday("all")).toMatchObject({ calls: 1, cost: 0.25 });
		expect([budget.wasRequested("m1"), budget.attempts()]).toEqual([true, 0]);
	});

	test("reports calls to models without a price", () => {
		const { budget, ask } = open();
		ask({ model: costing(0) }, { ok: true, text: "", usage: NOTHING });
		expect(budget.spentToday("all")).toMatchObject({ calls: 1, cost: 0, unpriced: 1 });
	});

	test("counts a call that ends after midnight on the day of its reservation", () => {
		let now = Date.UTC(2026, 4, 17, 23, 59, 59);
		const { budget } = open({ now: () => now });
		const reserved = budget.reserve({ question: "q", ...CALL });
		now += 10_000;
		if (reserved.ok) reserved.settle(DONE);
		expect(readdirSync(folder())).toEqual(["2026-05-17.jsonl"]);
		expect(budget.spentToday("all").calls).toBe(0);
	});
});

describe("the daily limit", () => {
	test("is read again before each call", () => {
		let limit = 10;
		const { ask } = open({ limit: () => limit });
		expect(ask()).toBe("made");
		limit = 0.1;
		expect(ask({ state: "m2" })).toBe("daily_limit");
	});

	test("leaves room for the whole call; 0 allows nothing, and typed commands are never stopped", () => {
		const ask = (limit: number, ...call: Parameters<ReturnType<typeof open>["ask"]>) =>
			open({ limit: () => limit }).ask(...call);
		expect([ask(0), ask(0.4)]).toEqual(["daily_limit", "daily_limit"]);
		expect([ask(1, {}, "dies"), ask(1, { state: "m2" }, "dies")]).toEqual(["made", "made"]);
		expect(ask(1, { state: "m3" })).toBe("daily_limit");
		expect([1, 2].map((limit) => open({ limit: () => limit }).budget.isUsedUp())).toEqual([true, false]);
		expect(ask(1, { state: "m3", by: "typed" })).toBe("made");
	});
});

describe("a state of the conversation", () => {
	test.each([DONE, failed({ reason: "aborted" }), failed()])(
		"gets one automatic request, even after %j and in a fork, which keeps the ids of the entries",
		(result) => {
			expect(open().ask({}, result)).toBe("made");
			expect(open().budget.wasRequested("m1")).toBe(true);
			expect(open({ at: NOON + 30 * DAY }).ask({}, result)).toBe("asked");
			expect(open({ session: "a fork" }).ask()).toBe("asked");
		},
	);

	test("gets a request for each typed command, and no automatic one after that", () => {
		const { ask } = open();
		const made = (["typed", "typed", "auto"] as const).map((by) => ask({ by }));
		expect(made).toEqual(["made", "made", "asked"]);
	});

	test("may try several models within one request", () => {
		const { ask } = open();
		expect(ask({ question: "one" }, failed({ reason: "unsupported" }))).toBe("made");
		expect(ask({ question: "one" })).toBe("made");
		expect(ask({ question: "two" })).toBe("asked");
	});

	test("is counted separately for each feature; attempts count the automatic requests of the session", () => {
		const { budget, ask } = open();
		ask({ question: "one" }, failed({ reason: "unsupported" }));
		ask({ question: "one" });
		expect(ask({ state: "m2" })).toBe("made");
		ask({ state: "m3", by: "typed" });
		expect(open({ feature: "title" }).ask()).toBe("made");
		open({ session: "s2" }).ask({ state: "m4" });
		expect(budget.attempts()).toBe(2);
	});
});

describe("the file", () => {
	test("holds only ids, counts and names in short lines, readable only by its owner", () => {
		const hostile = `p/m\n\u202e${"m".repeat(5_000)}`;
		open({ session: hostile }).ask({ state: hostile, model: { ...costing(1), id: hostile } });
		const lines = readFileSync(file(), "utf8").trimEnd().split("\n");
		expect(lines).toHaveLength(2);
		for (const line of lines) expect([line.length < 1_200, /[\u202e]/.test(line)]).toEqual([true, false]);
		expect(Object.keys(JSON.parse(lines[0] ?? "")).join(" ")).toBe(
			"at id session feature state by question model input output cost outcome",
		);
		expect(statSync(file()).mode & 0o777).toBe(0o600);
	});

	test("may hold damaged and foreign lines", () => {
		const { budget, ask } = open();
		ask();
		const far = '{"at":1e300,"id":"x","session":"x","input":0,"output":0,"cost":0}';
		appendFileSync(file(), `\n\nnull\n[1]\n{"at":1}\nnot json\n${far}\n`);
		ask({ state: "m2" });
		expect(budget.spentToday("all").calls).toBe(2);
	});

	test("is removed when ninety newer ones exist; other files are not", () => {
		mkdirSync(folder(), { recursive: true });
		for (let day = 0; day < 95; day++) {
			const name = new Date(Date.UTC(2026, 0, 1) + day * DAY).toISOString().slice(0, 10);
			writeFileSync(join(folder(), `${name}.jsonl`), "");
		}
		writeFileSync(join(folder(), "notes.txt"), "");
		open().ask();
		const names = readdirSync(folder()).sort();
		expect([names.length, names[0], names.at(-2), names.at(-1)]).toEqual([
			91,
			"2026-01-07.jsonl",
			"2026-05-17.jsonl",
			"notes.txt",
		]);
	});
});

function program(...args: string[]): string[] {
	const at = (path: string) => join(import.meta.dirname, "../../..", path);
	return [
		at("node_modules/jiti/lib/jiti-cli.mjs"),
		at("test/support/spend.ts"),
		agentDir(),
		String(NOON),
		...args,
	];
}

describe("if calls cannot be counted", () => {
	test.each([
		["a folder as the day's file", () => mkdirSync(file(), { recursive: true })],
		["a file as the suite's folder", () => writeFileSync(suite(), "")],
	])("%s: automatic calls stop, typed ones do not, and both say why", (_, make) => {
		make();
		const { budget, ask, notices } = open();
		expect(budget.problem()).toMatch(/Move or delete what is in its place/);
		expect([ask(), ask({ state: "m2" })]).toEqual(["uncounted", "uncounted"]);
		expect(notices).toEqual([
			expect.stringMatching(/^Automatic model calls are off, because calls cannot be counted: /),
		]);
		expect(notices[0]).toContain(suite());
		expect(ask({ by: "typed" })).toBe("made");
		expect(notices[1]).toMatch(/^This model call is not counted: /);
	});

	test("a folder that belongs to another user, as after sudo, stops automatic calls", () => {
		open().ask();
		chmodSync(agentDir(), 0o755);
		for (const path of [suite(), folder(), file()]) chmodSync(path, 0o777);
		chmodSync(folder(), 0);
		const run = (by: string) =>
			JSON.parse(execFileSync(process.execPath, program("x", "1", "10", by, "nobody"), { encoding: "utf8" }));
		const [auto, typed] = [run("auto"), run("typed")];
		chmodSync(folder(), 0o777);
		const remedy = `sudo chown -R "$USER" "${suite()}"`;
		expect(auto).toMatchObject({ got: [], said: [expect.stringContaining(remedy)] });
		expect(auto.problem).toContain(remedy);
		expect(typed.got).toHaveLength(1);
	});
});

describe("several processes", () => {
	const run = promisify(execFile);
	const got = async (...args: string[]): Promise<string[]> => {
		const { stdout } = await run(process.execPath, program(...args));
		return JSON.parse(stdout).got;
	};

	test("make one request for each state between them", async () => {
		const all = (await Promise.all(Array.from({ length: 4 }, () => got("m", "60", "1000")))).flat();
		expect(all).toHaveLength(60);
		expect(new Set(all).size).toBe(60);
	});

	test("never spend more than the limit together, and use all of it", async () => {
		const all = (await Promise.all([0, 1, 2, 3].map((nth) => got(`s${nth}`, "30", "5")))).flat();
		// The cost that one process reserves may make another process stop early, so the last process runs
		// alone.
		all.push(...(await got("s4", "30", "5")));
		const { calls, cost } = open().budget.spentToday("all");
		expect(cost).toBeLessThanOrEqual(5);
		expect(calls).toBe(all.length);
		expect(calls).toBeGreaterThanOrEqual(36);
	});
});

test("a typed call or one without an answer is not announced as the first automatic one", () => {
	const { ask, notices } = open();
	ask({ by: "typed" }, DONE);
	ask({ state: "m2" }, failed({ reason: "aborted" }));
	expect(notices).toEqual([]);
});
