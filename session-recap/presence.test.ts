import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rowsOf } from "../test/support/table.ts";
import {
	advance,
	createClock,
	dueAt,
	type Effect,
	expectsNote,
	type Limits,
	looksForMs,
	type PresenceEvent,
	startPresence,
	TYPING_MS,
} from "./presence.ts";

const LIMITS: Limits = { awayMs: 90_000, focusMinMs: 3_000, idleMs: 120_000, focus: true, auto: true };

/** Plays events at given times in ms. Anything that is due before an event happens first. */
function world() {
	let state = startPresence(LIMITS);
	const log: { at: number; effect: Effect }[] = [];
	const feed = (event: PresenceEvent, at: number) => {
		const next = advance(state, event, at);
		state = next.state;
		for (const effect of next.effects) log.push({ at, effect });
	};
	return {
		log,
		state: () => state,
		play(at: number, event?: PresenceEvent) {
			for (let due = dueAt(state); due <= at; due = dueAt(state)) feed({ type: "tick" }, due);
			if (event) feed(event, at);
		},
	};
}

const limitsOf = (auto: boolean): PresenceEvent => ({ type: "limits", limits: { ...LIMITS, auto } });
const opened = (reopened: boolean, claimed = false): PresenceEvent => ({
	...{ type: "session_start", reopened, claimed },
	stamp: "m1",
});

/** The events that a script can contain, all about the state `m1`. */
const EVENTS = {
	reload: opened(false),
	reopened: opened(true),
	claimed: opened(true, true),
	run: { type: "run_start" },
	settled: { type: "settled" },
	worth: { type: "inspected", stamp: "m1" },
	little: { type: "inspected", stamp: undefined },
	away: { type: "away" },
	back: { type: "back" },
	key: { type: "key" },
	submit: { type: "submit" },
	shown: { type: "shown", stamp: "m1" },
	covered: { type: "covered", stamp: "m1" },
	off: limitsOf(false),
	on: limitsOf(true),
} as const satisfies Record<string, PresenceEvent>;

/** Beginnings of scripts: a run ends while the user is present (`HERE`) or away (`AWAY`). */
const BEGINNINGS: Readonly<Record<string, string>> = {
	HERE: "1 run, 2 settled, 3 worth",
	AWAY: "1 run, 2 away, 10 settled, 11 worth",
	WORKING: "1 run, 2 away",
};

/** Plays a script: times in seconds, each optionally followed by an event. */
function played(script: string) {
	const it = world();
	const whole = script.replace(/[A-Z]+/g, (name) => BEGINNINGS[name] ?? name);
	for (const [, at, word = ""] of whole.matchAll(/([\d.]+)(?: (\w+))?/g))
		it.play(Number(at) * 1000, Object.entries(EVENTS).find(([name]) => name === word)?.[1]);
	return it;
}

/** Returns when a script drafts and shows recaps, in seconds, such as `11 draft, 20 reveal`. */
function outcome(script: string): string {
	const seen = played(script).log.map(({ at, effect }) => `${at / 1000} ${effect.type}`);
	return seen.filter((line) => /draft|reveal/.test(line)).join(", ");
}

/** Each case has a name, a script, and the times at which recaps are drafted and shown. */
const CASES = `
a run that ends while the user is away is drafted then and shown at the return | AWAY, 20 back | 11 draft, 20 reveal
an absence shorter than the minimum costs no call | 1 run, 5 away, 6 settled, 6.1 worth, 7 back, 60 |
a run that ends right after the user left is drafted after the minimum | 1 run, 5 away, 6 worth, 60 back | 8 draft, 60 reveal
a long absence is drafted at the threshold | HERE, 10 away, 130 back | 100 draft, 130 reveal
a short absence is not drafted | HERE, 10 away, 60 back |
an inspection that ends after the threshold is drafted | 10 away, 101 worth | 101 draft
a return during a run waits for its end, even after a key and a retry | WORKING, 200 back, 201 key, 210 run, 230 settled, 231 worth | 231 draft, 231 reveal
a return that is due waits for a pause in typing | WORKING, 200 back, 230.5 key, 231 worth, 240 | 232.5 draft, 232.5 reveal
a run that is not worth a recap gets none | WORKING, 11 little, 200 back, 900 |
the idle time shows a recap even in a terminal that keeps the focus | HERE, 3.1 away, 3.2 back, 200 | 123.2 draft, 123.2 reveal
keystrokes postpone the idle time | HERE, 100 key, 219 |
a recap that was shown is not shown again after the idle time | HERE, 4 shown, 900 |
a key after a long run is no return | 1 run, 900 settled, 900 worth, 905 key, 1000 |
typing delays a recap until the user pauses | AWAY, 19 key, 20 back, 20.5 key, 30 | 11 draft, 22.5 reveal
a delayed recap is shown at the next return, however short | 1 key, 1.5 reopened, 2 away, 5 back | 5 draft, 5 reveal
a reopened session is drafted and shown at once | 0 reopened | 0 draft, 0 reveal
a reopened session is only drafted if a card shows it | 0 claimed, 1 covered, 10 away, 200 back | 0 draft
a reopened session is drafted for a card that was faster | 0 covered, 1 claimed, 10 away, 200 back | 1 draft
a reopened session is shown at the return if the card never appeared | 0 claimed, 10 away, 200 back | 0 draft, 200 reveal
a reload shows nothing | 0 reload, 900 |
nothing appears while recaps are off, and those that are due are dropped | AWAY, 12 off, 200 back, 201 away, 401 back | 11 draft
a prompt ends the waiting for a pause | AWAY, 19 key, 20 back, 20.1 submit, 900 | 11 draft
a run ends the waiting for a pause | AWAY, 19 key, 20 back, 20.1 run, 900 | 11 draft
a recap or card for the same state ends the waiting for a pause | AWAY, 19 key, 20 back, 20.1 shown, 900 | 11 draft
switching recaps off ends the waiting for a pause | AWAY, 19 key, 20 back, 20.1 off, 900 | 11 draft
`;

test.each(rowsOf(CASES))("%s", (_, script = "", expected = "") => expect(outcome(script)).toBe(expected));

test("the same state is never drafted or shown twice, however often the focus changes", () => {
	const flaps = Array.from({ length: 50 }, (_, i) => `${1000 + i * 200} away, ${1100 + i * 200} back`);
	expect(outcome(["HERE", ...flaps].join(", "))).toBe("123 draft, 123 reveal");
});

test("the first key after a night's sleep counts as a return, and the recap appears at the next pause", () => {
	const it = played("HERE");
	// The timer of the idle time stops while the machine sleeps.
	for (const at of [30_000_000, 30_001_000]) {
		const { state, effects } = advance(it.state(), EVENTS.key, at);
		expect(effects).toEqual([]);
		expect(dueAt(state)).toBe(at + TYPING_MS);
	}
});

test("only switching recaps off hides the recap that is shown, not another change of the settings", () => {
	const off = advance(played("HERE").state(), EVENTS.off, 5_000);
	expect(off.effects).toEqual([{ type: "clear" }]);
	expect(advance(off.state, EVENTS.off, 6_000).effects).toEqual([]);
});

test("switching recaps on shows nothing before the keystroke that was read with it", () => {
	const on = advance(played("HERE, 4 off").state(), EVENTS.on, 900_000);
	const typed = advance(on.state, EVENTS.key, 900_000);
	expect([...on.effects, ...typed.effects]).toEqual([]);
	expect(dueAt(typed.state)).toBe(902_000);
});

test("a state that may have changed is inspected when the user leaves", () => {
	expect(played("0 reopened, 5 submit, 9 away").log.at(-1)?.effect).toEqual({ type: "inspect" });
});

/** Any event, with stamps from a small set so that they collide. */
const anyEvent: fc.Arbitrary<PresenceEvent> = fc.oneof(
	fc.record({
		type: fc.constant("session_start" as const),
		stamp: fc.option(fc.constantFrom("a", "b"), { nil: undefined }),
		reopened: fc.boolean(),
		claimed: fc.boolean(),
	}),
	fc.constantFrom<PresenceEvent>(
		...(["away", "back", "key", "submit", "run", "settled"] as const).map((name) => EVENTS[name]),
	),
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
	/** Plays the events, and calls `check` after each. Returns the world and the last time. */
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
				const { on, run: start, back, away, key } = EVENTS;
				const inspected = { type: "inspected", stamp: "new" } as const;
				for (const event of [on, start, back, away, inspected]) it.play(now, event);
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

test.each([
	["shown", "HERE, 10 away, 110 back"],
	["too_little", "1 run, 3 little, 10 away, 110 back"],
	["brief", "HERE, 10 away, 20 back"],
	["seen", "HERE, 4 shown, 10 away, 110 back"],
	["working", "1 run, 10 away, 110 back"],
	["off", "0 off, HERE, 10 away, 110 back"],
])("the last return is remembered with its outcome: %s", (result, script) => {
	expect(played(script).state().lastReturn).toMatchObject({ outcome: result });
});

test.each<[string, boolean, number, number]>([
	["HERE, 10 key", false, 14, Number.POSITIVE_INFINITY],
	["HERE, 10 key", false, 16, 0],
	["HERE, 10 key", true, 100, 30_000],
	["HERE, 10 key", true, 131, 0],
	["HERE, 10 key, 11 away", true, 12, 0],
])("after %s, focus reports %j, at second %i: %i ms", (script, focus, at, expected) => {
	expect(looksForMs(played(script).state(), focus, at * 1000)).toBe(expected);
});

test.each([
	["HERE, 10 away", false, true],
	["HERE, 10 away", true, false],
	["HERE, 10 away, 11 back", false, false],
])("after %s, with too little to recap: %j, a note is expected: %j", (script, isTooLittle, expected) => {
	expect(expectsNote(played(script).state(), isTooLittle)).toBe(expected);
	const off = startPresence({ ...LIMITS, auto: false });
	expect(expectsNote({ ...off, awaySince: 1 }, isTooLittle)).toBe(false);
});

test("a key after a short pause is no return", () => {
	expect(played("HERE, 120 key").state().lastReturn).toBeUndefined();
});

const HOUR = 3_600_000;

test.each<[string, [wall: number, steady: number], number]>([
	["does not go back with the wall clock", [-3 * HOUR, 95_000], 95_000],
	["ignores a wall clock that is ahead by at most a second", [1_400, 400], 400],
	["follows a wall clock that is ahead by more than a second", [1_401, 400], 1_401],
	["includes the time that the machine sleeps", [8 * HOUR, 20], 8 * HOUR],
])("the clock of an absence %s", (_, [byWall, bySteady], expected) => {
	let wall = 1_770_000_000_000;
	let steady = 5_000;
	const clock = createClock({ wall: () => wall, steady: () => steady });
	const began = clock();
	wall += byWall;
	steady += bySteady;
	expect(clock() - began).toBe(expected);
	wall += 10;
	steady += 10;
	expect(clock() - began).toBe(expected + 10);
});
