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
function play(script: Script, limits: Partial<Limits> = {}) {
	let state: Presence = startPresence({ ...LIMITS, ...limits });
	const log: { at: number; effect: Effect }[] = [];
	for (const [at, event] of script) {
		const result = advance(state, event, at * 1000);
		state = result.state;
		for (const effect of result.effects) log.push({ at, effect });
	}
	return { state, log, effects: log.map(({ effect }) => effect) };
}

const start = (stamp?: string, reopened = false, claimed = false): PresenceEvent => ({
	type: "session_start",
	stamp,
	reopened,
	claimed,
});
const away: PresenceEvent = { type: "away", reported: true };
const back: PresenceEvent = { type: "back", reported: true };
const key: PresenceEvent = { type: "key" };
const submit: PresenceEvent = { type: "submit" };
const shown: PresenceEvent = { type: "shown", stamp: "m1" };
const covered: PresenceEvent = { type: "covered", stamp: "m1" };
const inspected = (stamp?: string): PresenceEvent => ({ type: "inspected", stamp });
const timer = (name: Timer): PresenceEvent => ({ type: "timer", timer: name });
const runStart: PresenceEvent = { type: "run_start" };
const settled: PresenceEvent = { type: "settled" };
const off: PresenceEvent = { type: "limits", limits: { ...LIMITS, auto: false } };

type Script = [seconds: number, event: PresenceEvent][];

const reveals = (effects: Effect[]) => effects.filter(({ type }) => type === "reveal");

/** Returns the effects of a script, each with its time in seconds, such as `11 draft m1` and `12 arm pause 1000`. */
function outcome(script: Script, wanted = /draft|reveal/): string[] {
	return play(script)
		.log.map(({ at, effect }) => [at, ...Object.values(effect)].join(" "))
		.filter((line) => wanted.test(line));
}

/** A run that ended while the user was there, at 3 s. */
const HERE: Script = [
	[0, start()],
	[1, runStart],
	[2, settled],
	[3, inspected("m1")],
];
/** A run that ended at 11 s, while the user was away. */
const AWAY: Script = [
	[0, start()],
	[1, runStart],
	[2, away],
	[10, settled],
	[11, inspected("m1")],
];
const WORKING: Script = AWAY.slice(0, 3);

test.each<[string, Script, string[]]>([
	[
		"a run that ends while the user is away is drafted then and shown at the return",
		[...AWAY, [20, back]],
		["11 draft m1", "20 reveal m1"],
	],
	[
		"an absence shorter than the minimum costs no call and shows nothing",
		[
			[0, start()],
			[1, runStart],
			[5, away],
			[6, settled],
			[6.1, inspected("m1")],
			[7, back],
		],
		[],
	],
	[
		"a long absence is drafted at the threshold",
		[...HERE, [10, away], [100, timer("away")], [130, back]],
		["100 draft m1", "130 reveal m1"],
	],
	["a short absence is not drafted at all", [...HERE, [10, away], [60, back]], []],
	[
		"an inspection that ends after the away timer has fired is drafted as well",
		[
			[0, start()],
			[10, away],
			[100, timer("away")],
			[101, inspected("m1")],
		],
		["101 draft m1"],
	],
	[
		"an inspection right after leaving is not drafted",
		[
			[0, start()],
			[10, away],
			[11, inspected("m1")],
		],
		[],
	],
	[
		"a draft made during an absence is shown even if the clock goes back three hours",
		[...HERE, [20_010, away], [20_100, timer("away")], [9_300, back]],
		["20100 draft m1", "9300 reveal m1"],
	],
	[
		"a return during a run stays pending until the run ends, also after a key press",
		[...WORKING, [200, back], [201, key], [230, settled], [231, inspected("m1")]],
		["231 draft m1", "231 reveal m1"],
	],
	[
		"a pending return waits for a pause in typing",
		[...WORKING, [200, back], [230.5, key], [231, inspected("m1")], [232.5, timer("pause")]],
		["232.5 draft m1", "232.5 reveal m1"],
	],
	["a run that is not worth a recap gets none", [...WORKING, [11, inspected()], [200, back]], []],
	[
		"the idle time without keystrokes shows the recap, also in a terminal that keeps the focus",
		[...HERE, [3.1, away], [3.2, back], [123.2, timer("idle")]],
		["123.2 draft m1", "123.2 reveal m1"],
	],
	["keystrokes push the idle time back", [...HERE, [100, key], [123, timer("idle")]], []],
	[
		"the first key after a night's sleep counts as a return, and shows the recap at the next pause",
		[...HERE, [30_000, key], [30_001, key], [30_002, timer("pause")], [30_003, timer("pause")]],
		["30003 draft m1", "30003 reveal m1"],
	],
	[
		"a key after a long run is no return",
		[
			[0, start()],
			[1, runStart],
			[900, settled],
			[900, inspected("m1")],
			[905, key],
		],
		[],
	],
	[
		"typing delays the recap until the user pauses",
		[...AWAY, [19, key], [20, back], [20.5, key], [21, timer("pause")], [22.5, timer("pause")]],
		["11 draft m1", "22.5 reveal m1"],
	],
	[
		"a delayed recap is shown at the next return, however short the absence",
		[
			[0, start()],
			[1, key],
			[1.5, start("m1", true)],
			[2, away],
			[5, back],
		],
		["5 draft m1", "5 reveal m1"],
	],
	[
		"a reopened session is drafted and shown at once",
		[[0, start("m1", true)]],
		["0 draft m1", "0 reveal m1"],
	],
	[
		"a reopened session is only drafted if another surface shows it",
		[
			[0, start("m1", true, true)],
			[1, covered],
			[10, away],
			[200, back],
		],
		["0 draft m1"],
	],
	[
		"a reopened session is also drafted for a surface that was faster",
		[
			[0, covered],
			[1, start("m1", true, true)],
			[10, away],
			[200, back],
		],
		["1 draft m1"],
	],
	[
		"a reopened session is shown at the return if the other surface never appeared",
		[
			[0, start("m1", true, true)],
			[10, away],
			[200, back],
		],
		["0 draft m1", "200 reveal m1"],
	],
	["a reload shows nothing", [[0, start("m1", false)]], []],
	[
		"nothing appears automatically when switched off, and pending recaps are dropped",
		[...AWAY, [12, off], [200, back], [201, away], [400, timer("away")], [401, back]],
		["11 draft m1"],
	],
])("%s", (_, script, expected) => expect(outcome(script)).toEqual(expected));

test("the same state is never drafted or shown twice, however often the focus changes", () => {
	const flaps = Array.from(
		{ length: 50 },
		(_, i): Script => [
			[1000 + i * 200, away],
			[1095 + i * 200, timer("away")],
			[1100 + i * 200, back],
		],
	).flat();
	expect(outcome([...HERE, ...flaps])).toHaveLength(2);
});

test("the idle timer restarts after a short absence, but not if the recap was already shown", () => {
	const glance: Script = [
		[10, away],
		[11, back],
	];
	const idle = (script: Script) => outcome(script, /\d arm idle/);
	expect(idle([...HERE, ...glance])).toEqual(["3 arm idle 120000", "11 arm idle 120000"]);
	expect(idle([...HERE, [4, shown], ...glance])).toEqual(["3 arm idle 120000"]);
});

test.each<[string, PresenceEvent]>([
	["a prompt", submit],
	["a run", runStart],
	["a recap or card that shows it otherwise", shown],
	["switching recaps off", off],
])("%s ends the waiting for a pause", (_, event) => {
	const script: Script = [...AWAY, [19, key], [20, back], [20.1, event], [22, timer("pause")]];
	expect(outcome(script, /20.1 disarm pause|reveal/)).toEqual(["20.1 disarm pause"]);
});

test("a state that may have changed is inspected when the user leaves", () => {
	const { effects } = play([
		[0, start("m1")],
		[5, submit],
		[9, away],
	]);
	expect(effects).toContainEqual({ type: "inspect" });
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
	fc.constantFrom<PresenceEvent>(key, submit, runStart, settled),
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
				world.wait(100_000, key);
				world.feed(back);
				expect(world.state().withheld).toBe(true);
				const before = world.out.length;
				const shown = () => reveals(world.out.slice(before).map(({ effect }) => effect));
				for (const ms of pauses) world.wait(ms, key);
				world.wait(TYPING_MS - 1);
				expect(shown()).toEqual([]);
				world.wait(1);
				expect(shown()).toEqual([{ type: "reveal", stamp: "new" }]);
				expect(world.timers.has("pause")).toBe(false);
			}),
		);
	});
});

const ABSENT: Script = [
	[10, away],
	[110, back],
];

test.each<[string, Script, Partial<Limits>]>([
	["shown", [...HERE, ...ABSENT], {}],
	["too_little", [...HERE.slice(0, 3), [3, inspected()], ...ABSENT], {}],
	["brief", [...HERE, [10, away], [20, back]], {}],
	["seen", [...HERE, [4, shown], ...ABSENT], {}],
	["working", [...HERE.slice(0, 2), ...ABSENT], {}],
	["off", [...HERE, ...ABSENT], { auto: false }],
	["shown", [...HERE, [30_000, key]], {}],
])("the last return is remembered with what came of it: %s", (outcome, script, limits) => {
	expect(play(script, limits).state.lastReturn).toMatchObject({ outcome });
});

test("a key after a short pause is no return", () => {
	expect(play([...HERE, [120, key]]).state.lastReturn).toBeUndefined();
});
