import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	advance,
	createClock,
	dueAt,
	type Effect,
	type Limits,
	type PresenceEvent,
	startPresence,
	TYPING_MS,
} from "./presence.ts";

const LIMITS: Limits = { awayMs: 90_000, focusMinMs: 3_000, idleMs: 120_000, focus: true, auto: true };

/** Plays events at given milliseconds; whatever is due before an event happens first, as with a timer. */
function world(limits: Limits = LIMITS) {
	let state = startPresence(limits);
	const log: { at: number; effect: Effect }[] = [];
	const feed = (event: PresenceEvent, at: number) => {
		const next = advance(state, event, at);
		state = next.state;
		for (const effect of next.effects) log.push({ at, effect });
	};
	return {
		log,
		state: () => state,
		/** Lets time pass until `at`, then feeds the event. */
		play(at: number, event?: PresenceEvent) {
			for (let due = dueAt(state); due <= at; due = dueAt(state)) feed({ type: "tick" }, due);
			if (event) feed(event, at);
		},
	};
}

const start = (stamp?: string, reopened = false, claimed = false): PresenceEvent => ({
	type: "session_start",
	stamp,
	reopened,
	claimed,
});
const away: PresenceEvent = { type: "away" };
const back: PresenceEvent = { type: "back" };
const key: PresenceEvent = { type: "key" };
const submit: PresenceEvent = { type: "submit" };
const shown: PresenceEvent = { type: "shown", stamp: "m1" };
const covered: PresenceEvent = { type: "covered", stamp: "m1" };
const inspected = (stamp?: string): PresenceEvent => ({ type: "inspected", stamp });
const runStart: PresenceEvent = { type: "run_start" };
const settled: PresenceEvent = { type: "settled" };
const off: PresenceEvent = { type: "limits", limits: { ...LIMITS, auto: false } };

type Script = [seconds: number, event?: PresenceEvent][];

function played(script: Script, limits: Partial<Limits> = {}) {
	const it = world({ ...LIMITS, ...limits });
	for (const [at, event] of script) it.play(at * 1000, event);
	return it;
}

/** Returns what was drafted and shown in a script, each with its time in seconds, such as `11 draft m1`. */
function outcome(script: Script): string[] {
	return played(script)
		.log.map(({ at, effect }) => [at / 1000, ...Object.values(effect)].join(" "))
		.filter((line) => /draft|reveal/.test(line));
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
		[[0, start()], [1, runStart], [5, away], [6, settled], [6.1, inspected("m1")], [7, back], [60]],
		[],
	],
	[
		"a run that ends right after the user has left is drafted when the minimum is over",
		[
			[0, start()],
			[1, runStart],
			[5, away],
			[6, inspected("m1")],
			[60, back],
		],
		["8 draft m1", "60 reveal m1"],
	],
	[
		"a long absence is drafted at the threshold",
		[...HERE, [10, away], [130, back]],
		["100 draft m1", "130 reveal m1"],
	],
	["a short absence is not drafted at all", [...HERE, [10, away], [60, back]], []],
	[
		"an inspection that ends after the threshold is drafted as well",
		[
			[0, start()],
			[10, away],
			[101, inspected("m1")],
		],
		["101 draft m1"],
	],
	[
		"a return during a run stays pending until the run ends, also after a key press and a retry of the host",
		[...WORKING, [200, back], [201, key], [210, runStart], [230, settled], [231, inspected("m1")]],
		["231 draft m1", "231 reveal m1"],
	],
	[
		"a pending return waits for a pause in typing",
		[...WORKING, [200, back], [230.5, key], [231, inspected("m1")], [240]],
		["232.5 draft m1", "232.5 reveal m1"],
	],
	["a run that is not worth a recap gets none", [...WORKING, [11, inspected()], [200, back], [900]], []],
	[
		"the idle time without keystrokes shows the recap, also in a terminal that keeps the focus",
		[...HERE, [3.1, away], [3.2, back], [200]],
		["123.2 draft m1", "123.2 reveal m1"],
	],
	["keystrokes push the idle time back", [...HERE, [100, key], [219]], []],
	["a recap that was shown is not shown again after the idle time", [...HERE, [4, shown], [900]], []],
	[
		"a key after a long run is no return",
		[[0, start()], [1, runStart], [900, settled], [900, inspected("m1")], [905, key], [1_000]],
		[],
	],
	[
		"typing delays the recap until the user pauses",
		[...AWAY, [19, key], [20, back], [20.5, key], [30]],
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
	["a reload shows nothing", [[0, start("m1", false)], [900]], []],
	[
		"nothing appears automatically when switched off, and pending recaps are dropped",
		[...AWAY, [12, off], [200, back], [201, away], [401, back]],
		["11 draft m1"],
	],
])("%s", (_, script, expected) => expect(outcome(script)).toEqual(expected));

test("the first key after a night's sleep counts as a return, and the recap appears at the next pause", () => {
	const it = played(HERE);
	// The timer of the idle time stops while the machine sleeps.
	for (const at of [30_000_000, 30_001_000]) {
		const { state, effects } = advance(it.state(), key, at);
		expect(effects).toEqual([]);
		expect(dueAt(state)).toBe(at + TYPING_MS);
	}
});

test("the same state is never drafted or shown twice, however often the focus changes", () => {
	const flaps = Array.from(
		{ length: 50 },
		(_, i): Script => [
			[1000 + i * 200, away],
			[1100 + i * 200, back],
		],
	).flat();
	expect(outcome([...HERE, ...flaps])).toHaveLength(2);
});

test.each<[string, PresenceEvent]>([
	["a prompt", submit],
	["a run", runStart],
	["a recap or card that shows it otherwise", shown],
	["switching recaps off", off],
])("%s ends the waiting for a pause", (_, event) => {
	expect(outcome([...AWAY, [19, key], [20, back], [20.1, event], [900]])).toEqual(["11 draft m1"]);
});

test("switching recaps on shows nothing before the keystroke that was read with it", () => {
	const quiet = played([...HERE, [4, off]]).state();
	const on = advance(quiet, { type: "limits", limits: LIMITS }, 900_000);
	const typed = advance(on.state, key, 900_000);
	expect([...on.effects, ...typed.effects]).toEqual([]);
	expect(dueAt(typed.state)).toBe(902_000);
});

test("a state that may have changed is inspected when the user leaves", () => {
	const { log } = played([
		[0, start("m1", true)],
		[5, submit],
		[9, away],
	]);
	expect(log.at(-1)?.effect).toEqual({ type: "inspect" });
});

/** Any event, with stamps from a small set so that they collide. */
const anyEvent: fc.Arbitrary<PresenceEvent> = fc.oneof(
	fc.record({
		type: fc.constant("session_start" as const),
		stamp: fc.option(fc.constantFrom("a", "b"), { nil: undefined }),
		reopened: fc.boolean(),
		claimed: fc.boolean(),
	}),
	fc.constantFrom<PresenceEvent>(away, back, key, submit, runStart, settled),
	fc.record({
		type: fc.constant("inspected" as const),
		stamp: fc.option(fc.constantFrom("a", "b", "c", "d"), { nil: undefined }),
	}),
	fc.record({
		type: fc.constantFrom("shown" as const, "covered" as const),
		stamp: fc.constantFrom("a", "b"),
	}),
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

describe("any sequence of events", () => {
	/** Plays the events, and calls `check` after each of them. Returns the world, and the time of the last event. */
	function run(
		sequence: [number, PresenceEvent][],
		check?: (it: ReturnType<typeof world>, at: number) => void,
	) {
		const it = world();
		let now = 0;
		for (const [elapsed, event] of sequence) {
			now += elapsed;
			it.play(now, event);
			check?.(it, now);
		}
		return { it, now };
	}

	test("never makes two calls for one state, and leaves nothing that was due undone", () => {
		fc.assert(
			fc.property(anySequence, (sequence) => {
				const { it } = run(sequence, (one, at) => {
					one.play(at);
					expect(dueAt(one.state())).toBeGreaterThan(at);
				});
				const stamps = it.log.flatMap(({ effect }) => (effect.type === "draft" ? [effect.stamp] : []));
				expect(stamps).toEqual([...new Set(stamps)]);
			}),
		);
	});

	test("shows nothing during a run, while the user is away or typing, or when switched off", () => {
		fc.assert(
			fc.property(anySequence, (sequence) => {
				let seen = 0;
				run(sequence, ({ log, state }) => {
					for (const { at, effect } of log.slice(seen)) {
						if (effect.type !== "reveal") continue;
						expect(state().isWorking).toBe(false);
						expect(state().awaySince).toBeUndefined();
						expect(at - state().lastKeyAt).toBeGreaterThanOrEqual(TYPING_MS);
						expect(state().limits.auto).toBe(true);
					}
					seen = log.length;
				});
			}),
		);
	});

	test("a delayed recap appears as soon as the user has paused", () => {
		fc.assert(
			fc.property(anySequence, fc.array(fc.integer({ min: 1, max: 1_999 })), (sequence, pauses) => {
				const { it, now } = run(sequence);
				const limits = { type: "limits", limits: LIMITS } as const;
				for (const event of [limits, runStart, back, away, inspected("new")]) it.play(now, event);
				let at = now + 100_000;
				for (const event of [key, back]) it.play(at, event);
				const before = it.log.length;
				const reveals = () => it.log.slice(before).filter(({ effect }) => effect.type === "reveal");
				for (const ms of pauses) {
					at += ms;
					it.play(at, key);
				}
				it.play(at + TYPING_MS - 1);
				expect(reveals()).toEqual([]);
				it.play(at + TYPING_MS);
				expect(reveals()).toEqual([{ at: at + TYPING_MS, effect: { type: "reveal", stamp: "new" } }]);
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
])("the last return is remembered with what came of it: %s", (outcome, script, limits) => {
	expect(played(script, limits).state().lastReturn).toMatchObject({ outcome });
});

test("a key after a short pause is no return", () => {
	expect(played([...HERE, [120, key]]).state().lastReturn).toBeUndefined();
});

const HOUR = 3_600_000;

test.each<[string, [wall: number, steady: number][], number[]]>([
	[
		"does not go back with the wall clock",
		[
			[-3 * HOUR, 95_000],
			[10, 10],
		],
		[95_000, 95_010],
	],
	[
		"follows the wall clock only if that is ahead by more than a second",
		[
			[1_400, 400],
			[1_401, 400],
		],
		[400, 1_801],
	],
	["includes the time that the machine sleeps", [[8 * HOUR, 20]], [8 * HOUR]],
])("the clock of an absence %s", (_, steps, expected) => {
	let wall = 1_770_000_000_000;
	let steady = 5_000;
	const clock = createClock({ wall: () => wall, steady: () => steady });
	const began = clock();
	const times = steps.map(([byWall, bySteady]) => {
		wall += byWall;
		steady += bySteady;
		return clock() - began;
	});
	expect(times).toEqual(expected);
});
