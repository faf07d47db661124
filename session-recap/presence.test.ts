import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	advance,
	type Effect,
	type Limits,
	type Presence,
	type PresenceEvent,
	startPresence,
	type Timer,
	TYPING_MS,
} from "./presence.ts";

const LIMITS: Limits = { awayMs: 90_000, focusMinMs: 3_000, idleMs: 120_000, focus: true, auto: true };

/** Plays events at given seconds and keeps what came out. */
function play(script: [seconds: number, event: PresenceEvent][], limits: Partial<Limits> = {}) {
	let state: Presence = startPresence({ ...LIMITS, ...limits });
	const log: { at: number; effect: Effect }[] = [];
	for (const [at, event] of script) {
		const result = advance(state, event, at * 1000);
		state = result.state;
		for (const effect of result.effects) log.push({ at, effect });
	}
	return { state, log, effects: log.map(({ effect }) => effect) };
}

const start = (stamp?: string, reopened = false): PresenceEvent => ({
	type: "session_start",
	stamp,
	reopened,
	claimed: false,
});
const away: PresenceEvent = { type: "away", reported: true };
const back: PresenceEvent = { type: "back", reported: true };
const inspected = (stamp?: string): PresenceEvent => ({ type: "inspected", stamp });
const timer = (name: Timer): PresenceEvent => ({ type: "timer", timer: name });
const runStart: PresenceEvent = { type: "run_start" };
const settled: PresenceEvent = { type: "settled" };

const drafts = (effects: Effect[]) => effects.filter(({ type }) => type === "draft");
const reveals = (effects: Effect[]) => effects.filter(({ type }) => type === "reveal");
const armed = (effects: Effect[], name: Timer) =>
	effects.flatMap((effect) => (effect.type === "arm" && effect.timer === name ? [effect.ms] : []));

describe("back from away", () => {
	test("a run that ends while the user is away is drafted then and shown at the return", () => {
		const { log } = play([
			[0, start()],
			[1, runStart],
			[2, away],
			[10, settled],
			[11, inspected("m1")],
			[20, back],
		]);
		expect(log).toContainEqual({ at: 11, effect: { type: "draft", stamp: "m1" } });
		expect(log).toContainEqual({ at: 20, effect: { type: "reveal", stamp: "m1" } });
	});

	test("an absence shorter than the minimum costs no call and shows nothing", () => {
		const { effects } = play([
			[0, start()],
			[1, runStart],
			[5, away],
			[6, settled],
			[6.1, inspected("m1")],
			[7, back],
		]);
		expect(drafts(effects)).toEqual([]);
		expect(reveals(effects)).toEqual([]);
		expect(armed(effects, "away")).toContain(1_900);
	});

	test("a long absence is drafted at the threshold, a short one not at all", () => {
		const finished: [number, PresenceEvent][] = [
			[0, start()],
			[1, runStart],
			[2, settled],
			[3, inspected("m1")],
		];
		const long = play([...finished, [10, away], [100, timer("away")], [130, back]]);
		expect(long.log).toContainEqual({ at: 100, effect: { type: "draft", stamp: "m1" } });
		expect(reveals(long.effects)).toHaveLength(1);
		const short = play([...finished, [10, away], [60, back]]);
		expect([...drafts(short.effects), ...reveals(short.effects)]).toEqual([]);
	});

	test("an inspection that ends after the away timer has fired is drafted as well", () => {
		const script: [number, PresenceEvent][] = [
			[0, start()],
			[10, away],
			[100, timer("away")],
		];
		const { log } = play([...script, [101, inspected("m1")]]);
		expect(drafts(log.map(({ effect }) => effect))).toEqual([{ type: "draft", stamp: "m1" }]);
		expect(drafts(play([...script.slice(0, 2), [11, inspected("m1")]]).effects)).toEqual([]);
	});

	test("the same state is never drafted or shown twice, however often the focus changes", () => {
		const flaps = Array.from({ length: 200 }, (_, i): [number, PresenceEvent][] => [
			[1000 + i * 200, away],
			[1095 + i * 200, timer("away")],
			[1100 + i * 200, back],
		]).flat();
		const { effects } = play([[0, start()], [1, runStart], [2, settled], [3, inspected("m1")], ...flaps]);
		expect(drafts(effects)).toHaveLength(1);
		expect(reveals(effects)).toHaveLength(1);
	});

	test("a draft made during an absence is shown even if the clock goes back three hours", () => {
		const { log } = play([
			[20_000, start()],
			[20_001, runStart],
			[20_002, settled],
			[20_003, inspected("m1")],
			[20_010, away],
			[20_100, timer("away")],
			[20_100 - 3 * 3_600, back],
		]);
		expect(log).toContainEqual({ at: 20_100 - 3 * 3_600, effect: { type: "reveal", stamp: "m1" } });
	});

	test("a return during a run stays pending until the run ends, also after a key press", () => {
		const script: [number, PresenceEvent][] = [
			[0, start()],
			[1, runStart],
			[2, away],
			[200, back],
		];
		const reveal = { type: "reveal", stamp: "m1" };
		const early = play([...script, [201, { type: "key" }], [230, settled], [231, inspected("m1")]]);
		expect(early.log).toContainEqual({ at: 231, effect: reveal });
		const late = play([...script, [230.5, { type: "key" }], [231, inspected("m1")], [232.5, timer("pause")]]);
		expect(late.log.filter(({ effect }) => effect.type === "reveal")).toEqual([
			{ at: 232.5, effect: reveal },
		]);
	});

	test("a run that is not worth a recap gets none", () => {
		const { effects } = play([
			[0, start()],
			[1, runStart],
			[2, away],
			[10, settled],
			[11, inspected()],
			[200, back],
		]);
		expect([...drafts(effects), ...reveals(effects)]).toEqual([]);
	});

	test("giving the terminal to another program counts as leaving, without claiming that focus is reported", () => {
		const { state, effects } = play([
			[0, start()],
			[1, runStart],
			[2, settled],
			[3, inspected("m1")],
			[10, { type: "away", reported: false }],
			[200, { type: "back", reported: false }],
		]);
		expect(reveals(effects)).toHaveLength(1);
		expect(state.focusSeen).toBe(false);
	});
});

describe("idle", () => {
	const finished: [number, PresenceEvent][] = [
		[0, start()],
		[1, runStart],
		[2, settled],
		[3, inspected("m1")],
	];

	test("shows after the idle time without keystrokes", () => {
		const { effects } = play([...finished, [123, timer("idle")]]);
		expect(armed(effects, "idle")).toEqual([120_000]);
		expect(reveals(effects)).toHaveLength(1);
	});

	test("the first key after a night's sleep counts as a return, and shows the recap at the next pause", () => {
		const night = 8 * 3_600;
		const { log, state } = play([
			...finished,
			[night, { type: "key" }],
			[night + 1, { type: "key" }],
			[night + 2, timer("pause")],
			[night + 3, timer("pause")],
		]);
		expect(reveals(log.map(({ effect }) => effect))).toEqual([{ type: "reveal", stamp: "m1" }]);
		expect(log.find(({ effect }) => effect.type === "reveal")?.at).toBe(night + 3);
		expect(state.lastReturn).toEqual({ at: night * 1000, outcome: "shown" });
	});

	test("a key after a shorter pause, or after a long run, is no return", () => {
		expect(play([...finished, [120, { type: "key" }]]).state.lastReturn).toBeUndefined();
		const long = play([
			[0, start()],
			[1, runStart],
			[900, settled],
			[900, inspected("m1")],
			[905, { type: "key" }],
		]);
		expect([reveals(long.effects), long.state.lastReturn]).toEqual([[], undefined]);
	});

	test("keystrokes push it back by what is left of the idle time", () => {
		const { effects } = play([...finished, [100, { type: "key" }], [123, timer("idle")]]);
		expect(armed(effects, "idle")).toEqual([120_000, 97_000]);
		expect(reveals(effects)).toEqual([]);
	});

	test("also counts with focus reports, for a terminal that keeps the focus", () => {
		const glanced: [number, PresenceEvent][] = [[0, start()], [0.1, away], [0.2, back], ...finished.slice(1)];
		expect(armed(play(glanced).effects, "idle")).toEqual([120_000]);
		expect(reveals(play([...glanced, [123, timer("idle")]]).effects)).toHaveLength(1);
	});

	test("restarts after a short absence, but not if the recap was already shown", () => {
		const glance: [number, PresenceEvent][] = [
			[10, away],
			[11, back],
		];
		const { log } = play([...finished, ...glance]);
		expect(log.filter(({ at }) => at >= 10).map(({ effect }) => effect)).toEqual([
			{ type: "disarm", timer: "idle" },
			{ type: "arm", timer: "away", ms: 90_000 },
			{ type: "disarm", timer: "away" },
			{ type: "arm", timer: "idle", ms: 120_000 },
		]);
		const shown = play([...finished, [4, { type: "shown", stamp: "m1" }], ...glance]);
		expect(armed(shown.effects, "idle")).toEqual([120_000]);
	});
});

describe("typing", () => {
	const drafted: [number, PresenceEvent][] = [
		[0, start()],
		[1, runStart],
		[2, away],
		[10, settled],
		[11, inspected("m1")],
	];
	const key: PresenceEvent = { type: "key" };

	test("text in the editor does not delay the recap", () => {
		const { log } = play([[0, start()], [0.5, key], ...drafted.slice(1), [20, back]]);
		expect(log).toContainEqual({ at: 20, effect: { type: "reveal", stamp: "m1" } });
	});

	test("delays the recap until the user pauses", () => {
		const { log } = play([
			...drafted,
			[19, key],
			[20, back],
			[20.5, key],
			[21, timer("pause")],
			[22.5, timer("pause")],
		]);
		expect(log.filter(({ at }) => at >= 20).map(({ at, effect }) => ({ at, ...effect }))).toEqual([
			{ at: 20, type: "disarm", timer: "away" },
			{ at: 20, type: "arm", timer: "pause", ms: 1_000 },
			{ at: 21, type: "arm", timer: "pause", ms: 1_500 },
			{ at: 22.5, type: "disarm", timer: "pause" },
			{ at: 22.5, type: "reveal", stamp: "m1" },
		]);
	});

	test("a delayed recap is shown at the next return, however short the absence", () => {
		const { log } = play([
			[0, start()],
			[1, key],
			[1.5, start("m9", true)],
			[2, away],
			[5, back],
		]);
		expect(log).toContainEqual({ at: 2, effect: { type: "disarm", timer: "pause" } });
		expect(log).toContainEqual({ at: 5, effect: { type: "reveal", stamp: "m9" } });
	});

	test.each<[string, PresenceEvent]>([
		["a prompt", { type: "submit" }],
		["a run", runStart],
		["a recap or card that shows it otherwise", { type: "shown", stamp: "m1" }],
		["switching recaps off", { type: "limits", limits: { ...LIMITS, auto: false } }],
	])("%s ends the waiting", (_, event) => {
		const { log } = play([...drafted, [19, key], [20, back], [20.1, event], [22, timer("pause")]]);
		expect(log).toContainEqual({ at: 20.1, effect: { type: "disarm", timer: "pause" } });
		expect(reveals(log.map(({ effect }) => effect))).toEqual([]);
	});
});

describe("reopened", () => {
	test("a reopened session is drafted and shown at once", () => {
		const { effects } = play([[0, start("m9", true)]]);
		expect(effects.map(({ type }) => type)).toEqual(["draft", "reveal"]);
	});

	test("is only drafted if another surface shows it", () => {
		const { effects } = play([
			[0, { type: "session_start", stamp: "m9", reopened: true, claimed: true }],
			[1, { type: "covered", stamp: "m9" }],
			[10, away],
			[200, back],
		]);
		expect(drafts(effects)).toHaveLength(1);
		expect(reveals(effects)).toEqual([]);
	});

	test("is also drafted for a surface that was faster", () => {
		const { effects } = play([
			[0, { type: "covered", stamp: "m9" }],
			[1, { type: "session_start", stamp: "m9", reopened: true, claimed: true }],
			[10, away],
			[200, back],
		]);
		expect(effects.filter(({ type }) => type === "draft" || type === "reveal")).toHaveLength(1);
	});

	test("is shown at the return if the other surface never appeared", () => {
		const { log } = play([
			[0, { type: "session_start", stamp: "m9", reopened: true, claimed: true }],
			[10, away],
			[200, back],
		]);
		expect(log).toContainEqual({ at: 200, effect: { type: "reveal", stamp: "m9" } });
	});

	test("a fresh session and a reload show nothing", () => {
		expect(play([[0, start(undefined, true)]]).effects).toEqual([]);
		expect(play([[0, start("m9", false)]]).effects).toEqual([]);
	});
});

describe("a stale state", () => {
	test("follows a shell command and is inspected when the user leaves", () => {
		const { effects } = play([
			[0, start("m1")],
			[5, { type: "submit" }],
			[9, away],
		]);
		expect(effects).toContainEqual({ type: "inspect" });
	});
});

describe("switched off", () => {
	test("nothing appears automatically, and pending recaps are dropped", () => {
		const off: PresenceEvent = { type: "limits", limits: { ...LIMITS, auto: false } };
		const { log } = play([
			[0, start()],
			[1, runStart],
			[2, away],
			[10, settled],
			[11, inspected("m1")],
			[12, off],
			[200, back],
			[201, away],
			[400, timer("away")],
			[401, back],
		]);
		expect(log.filter(({ at, effect }) => at > 12 && effect.type !== "disarm")).toEqual([]);
		expect(log).toContainEqual({ at: 12, effect: { type: "clear" } });
	});
});

/** Any event, with stamps from a small set so that they collide. */
const anyEvent: fc.Arbitrary<PresenceEvent> = fc.oneof(
	fc.record({
		type: fc.constant("session_start" as const),
		stamp: fc.option(fc.constantFrom("a", "b"), { nil: undefined }),
		reopened: fc.boolean(),
		claimed: fc.boolean(),
	}),
	fc.record({ type: fc.constant("away" as const), reported: fc.boolean() }),
	fc.record({ type: fc.constant("back" as const), reported: fc.boolean() }),
	fc.constantFrom<PresenceEvent>({ type: "key" }, { type: "submit" }, runStart, settled),
	fc.record({
		type: fc.constant("inspected" as const),
		stamp: fc.option(fc.constantFrom("a", "b", "c", "d"), { nil: undefined }),
	}),
	fc.record({
		type: fc.constant("timer" as const),
		timer: fc.constantFrom<Timer>("away", "idle", "pause"),
	}),
	fc.record({ type: fc.constant("shown" as const), stamp: fc.constantFrom("a", "b") }),
	fc.record({ type: fc.constant("covered" as const), stamp: fc.constantFrom("a", "b") }),
	fc.record({
		type: fc.constant("limits" as const),
		limits: fc.record({
			awayMs: fc.constantFrom(1_000, 90_000),
			focusMinMs: fc.constantFrom(0, 3_000),
			idleMs: fc.constantFrom(0, 120_000),
			focus: fc.boolean(),
			auto: fc.boolean(),
		}),
	}),
);
const anySequence = fc.array(fc.tuple(fc.nat(200_000), anyEvent), { maxLength: 60 });

/** Plays random events and keeps the timers that are armed and when they are due, as the edge would. */
function run(sequence: [number, PresenceEvent][]) {
	let state = startPresence(LIMITS);
	let now = 0;
	const timers = new Map<Timer, number>();
	const out: { effect: Effect }[] = [];
	const feed = (event: PresenceEvent) => {
		const result = advance(state, event, now);
		state = result.state;
		for (const effect of result.effects) {
			if (effect.type === "arm") timers.set(effect.timer, now + effect.ms);
			if (effect.type === "disarm") timers.delete(effect.timer);
			out.push({ effect });
		}
	};
	for (const [elapsed, event] of sequence) {
		now += elapsed;
		if (event.type === "timer") timers.delete(event.timer);
		feed(event);
	}
	/** Time passes; the timer of a pause fires when it is due. Then the event. */
	const wait = (ms: number, event?: PresenceEvent) => {
		const end = now + ms;
		for (let due = timers.get("pause"); due !== undefined && due <= end; due = timers.get("pause")) {
			now = Math.max(now, due);
			timers.delete("pause");
			feed({ type: "timer", timer: "pause" });
		}
		now = end;
		if (event) feed(event);
	};
	return { timers, out, feed, wait, state: () => state };
}

describe("any sequence of events", () => {
	test("never makes two calls for one state", () => {
		fc.assert(
			fc.property(anySequence, (sequence) => {
				const stamps = run(sequence).out.flatMap(({ effect }) =>
					effect.type === "draft" ? [effect.stamp] : [],
				);
				expect(stamps).toEqual([...new Set(stamps)]);
			}),
		);
	});

	test("keeps no timer and has no effect after the session ends", () => {
		fc.assert(
			fc.property(anySequence, anySequence, (before, after) => {
				const world = run(before);
				world.feed({ type: "session_end" });
				expect([...world.timers.keys()]).toEqual([]);
				const done = world.out.length;
				for (const [, event] of after) world.feed(event);
				expect(world.out).toHaveLength(done);
			}),
		);
	});

	test("shows nothing during a run, while the user is typing, or when switched off", () => {
		fc.assert(
			fc.property(anySequence, (sequence) => {
				let state = startPresence(LIMITS);
				let now = 0;
				for (const [elapsed, event] of sequence) {
					now += elapsed;
					const result = advance(state, event, now);
					if (result.effects.some(({ type }) => type === "reveal")) {
						expect(result.state.isWorking).toBe(false);
						expect(now - state.lastKeyAt).toBeGreaterThanOrEqual(TYPING_MS);
						expect(result.state.limits.auto).toBe(true);
					}
					state = result.state;
				}
			}),
		);
	});

	test("a delayed recap appears as soon as the user has paused", () => {
		fc.assert(
			fc.property(anySequence, fc.array(fc.integer({ min: 1, max: 1_999 })), (sequence, pauses) => {
				const world = run(sequence);
				for (const event of [{ type: "limits", limits: LIMITS } as const, runStart, settled, back, away])
					world.feed(event);
				world.feed(inspected("new"));
				world.wait(100_000, { type: "key" });
				world.feed(back);
				expect(world.state().withheld).toBe(true);
				const before = world.out.length;
				const shown = () => reveals(world.out.slice(before).map(({ effect }) => effect));
				for (const ms of pauses) world.wait(ms, { type: "key" });
				world.wait(TYPING_MS - 1);
				expect(shown()).toEqual([]);
				world.wait(1);
				expect(shown()).toEqual([{ type: "reveal", stamp: "new" }]);
				expect(world.timers.has("pause")).toBe(false);
			}),
		);
	});
});

describe("the last return", () => {
	const run = (stamp: string | undefined, more: [number, PresenceEvent][]): [number, PresenceEvent][] => [
		[0, start()],
		[1, runStart],
		[2, settled],
		[3, inspected(stamp)],
		...more,
	];
	test.each<[string, [number, PresenceEvent][], Partial<Limits>]>([
		[
			"shown",
			run("m1", [
				[10, away],
				[110, back],
			]),
			{},
		],
		[
			"too_little",
			run(undefined, [
				[10, away],
				[110, back],
			]),
			{},
		],
		[
			"brief",
			run("m1", [
				[10, away],
				[20, back],
			]),
			{},
		],
		[
			"seen",
			run("m1", [
				[4, { type: "shown", stamp: "m1" }],
				[10, away],
				[110, back],
			]),
			{},
		],
		[
			"working",
			[
				[0, start()],
				[1, runStart],
				[10, away],
				[110, back],
			],
			{},
		],
		[
			"off",
			run("m1", [
				[10, away],
				[110, back],
			]),
			{ auto: false },
		],
	])("is remembered with what came of it: %s", (outcome, script, limits) => {
		expect(play(script, limits).state.lastReturn).toMatchObject({ outcome });
	});
});
