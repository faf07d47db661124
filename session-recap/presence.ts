import { startTimer } from "../session-core/text/index.ts";
/** All times are in milliseconds. */
export interface Limits {
	awayMs: number;
	focusMinMs: number;
	idleMs: number;
	focus: boolean;
	auto: boolean;
}

/**
 * `stamp` is the id of the last message, or undefined if the conversation is too short for a recap. `claimed`
 * means that another extension has offered to show a summary instead of the recap.
 */
export type PresenceEvent =
	| { type: "session_start"; stamp: string | undefined; reopened: boolean; claimed: boolean }
	| { type: "limits"; limits: Limits }
	| { type: "away" }
	| { type: "back" }
	| { type: "key" }
	| { type: "submit" }
	| { type: "run_start" }
	| { type: "settled" }
	| { type: "inspected"; stamp: string | undefined }
	| { type: "tick" }
	| { type: "covered"; stamp: string }
	| { type: "shown"; stamp: string };

/**
 * `inspect` reads the conversation, `draft` prepares a recap without showing it, and `clear` removes
 * the recap from the screen.
 */
export type Effect = { type: "inspect" | "clear" } | { type: "draft" | "reveal"; stamp: string };

export type ReturnOutcome = "shown" | "off" | "working" | "too_little" | "seen" | "brief";

export interface Presence {
	limits: Limits;
	isWorking: boolean;
	/**
	 * The id of the conversation's last message, or undefined if the id is unknown or the conversation is
	 * too short for a recap.
	 */
	stamp: string | undefined;
	/**
	 * A recap is drafted only once for each `stamp`, so that an unchanged conversation never causes a
	 * second model call.
	 */
	drafted: ReadonlySet<string>;
	shown: string | undefined;
	awaySince: number | undefined;
	isDue: boolean;
	lastKeyAt: number;
	/** A mouse event proves that the user is present, but it does not count as typing. */
	lastMouseAt: number;
	settledAt: number;
	lastReturn: { at: number; outcome: ReturnOutcome } | undefined;
}

interface PresenceStep {
	state: Presence;
	effects: Effect[];
}

export const TYPING_MS = 2_000;

export function startPresence(limits: Limits): Presence {
	return {
		limits,
		isWorking: false,
		stamp: undefined,
		drafted: new Set(),
		shown: undefined,
		awaySince: undefined,
		isDue: false,
		lastKeyAt: Number.NEGATIVE_INFINITY,
		lastMouseAt: Number.NEGATIVE_INFINITY,
		settledAt: Number.NEGATIVE_INFINITY,
		lastReturn: undefined,
	};
}

export function advance(before: Presence, event: PresenceEvent, now: number): PresenceStep {
	const { state, effects } = apply(before, event, now);
	if (event.type === "limits" || now < dueAt(state)) return { state, effects };
	const drafted = draft(state);
	if (now < showAt(state) || state.stamp === undefined)
		return { state: drafted.state, effects: [...effects, ...drafted.effects] };
	return {
		state: { ...drafted.state, shown: state.stamp, isDue: false },
		effects: [...effects, ...drafted.effects, { type: "reveal", stamp: state.stamp }],
	};
}

export function dueAt(state: Presence): number {
	return Math.min(draftAt(state), showAt(state));
}

/** A recap is drafted while the user is away, so that it can be shown as soon as the user returns. */
function draftAt(state: Presence): number {
	const { awaySince, drafted, limits } = state;
	if (!isWanted(state) || awaySince === undefined || drafted.has(state.stamp))
		return Number.POSITIVE_INFINITY;
	return awaySince + (hasFinishedAway(state) ? limits.focusMinMs : limits.awayMs);
}

/**
 * Returns when to show the recap: after a short pause in typing if the user has just returned or reopened
 * the session; otherwise, after the idle time.
 */
function showAt(state: Presence): number {
	const { awaySince, isDue, lastKeyAt, settledAt, limits } = state;
	if (!isWanted(state) || awaySince !== undefined) return Number.POSITIVE_INFINITY;
	if (isDue) return lastKeyAt + TYPING_MS;
	if (!Number.isFinite(state.settledAt)) return Number.POSITIVE_INFINITY;
	return Math.max(activeAt(state), settledAt) + limits.idleMs;
}

function activeAt({ lastKeyAt, lastMouseAt, lastReturn }: Presence): number {
	return Math.max(lastKeyAt, lastMouseAt, lastReturn?.at ?? Number.NEGATIVE_INFINITY);
}

/**
 * In a terminal that does not report focus, the user is assumed to be present for this many milliseconds
 * after each key press.
 */
const AT_THE_KEYS_MS = 5_000;

/**
 * Returns how much longer, in milliseconds, the user is assumed to be looking at the terminal. Focus
 * counts only for a limited time, because users often leave without switching windows.
 */
export function looksForMs(state: Presence, focusSeen: boolean, now: number): number {
	if (state.awaySince !== undefined) return 0;
	if (focusSeen) return Math.max(0, activeAt(state) + state.limits.idleMs - now);
	return now - state.lastKeyAt < AT_THE_KEYS_MS ? Number.POSITIVE_INFINITY : 0;
}

/** Returns true if the user is away and a model is expected to write a recap. */
export function expectsNote({ awaySince, limits }: Presence, isTooLittle: boolean): boolean {
	return limits.auto && awaySince !== undefined && !isTooLittle;
}

function isWanted(state: Presence): state is Presence & { stamp: string } {
	return state.limits.auto && !state.isWorking && state.stamp !== undefined && state.stamp !== state.shown;
}

function hasFinishedAway({ awaySince, settledAt }: Presence): boolean {
	return awaySince !== undefined && settledAt >= awaySince;
}

function draft(state: Presence): PresenceStep {
	if (!isWanted(state) || state.drafted.has(state.stamp)) return { state, effects: [] };
	const drafted = new Set([...state.drafted, state.stamp]);
	return { state: { ...state, drafted }, effects: [{ type: "draft", stamp: state.stamp }] };
}

function apply(state: Presence, event: PresenceEvent, now: number): PresenceStep {
	switch (event.type) {
		case "session_start":
			return started(state, event);
		case "limits": {
			const next = { ...state, limits: event.limits };
			if (event.limits.auto || !state.limits.auto) return { state: next, effects: [] };
			return { state: { ...next, isDue: false }, effects: [{ type: "clear" }] };
		}
		case "away": {
			if (state.awaySince !== undefined) return { state, effects: [] };
			const isUnknown = state.stamp === undefined && !state.isWorking;
			return { state: { ...state, awaySince: now }, effects: isUnknown ? [{ type: "inspect" }] : [] };
		}
		case "back":
			return { state: returned(state, now), effects: [] };
		case "key":
			return { state: typed(state, now), effects: [] };
		case "submit":
			return { state: { ...state, stamp: undefined, isDue: false }, effects: [{ type: "clear" }] };
		case "run_start":
			return {
				// If pi retries a run after a provider error, a pending recap is not discarded.
				state: { ...state, isWorking: true, stamp: undefined, isDue: state.isDue && state.isWorking },
				effects: [{ type: "clear" }],
			};
		case "settled":
			return { state, effects: [{ type: "inspect" }] };
		case "inspected": {
			const { stamp } = event;
			const settledAt = state.isWorking ? now : state.settledAt;
			const isDue = state.isDue && stamp !== undefined;
			return { state: { ...state, isWorking: false, stamp, settledAt, isDue }, effects: [] };
		}
		case "tick":
			return { state, effects: [] };
		case "covered":
			return { state: { ...state, shown: event.stamp, isDue: false }, effects: [] };
		case "shown": {
			const drafted = new Set([...state.drafted, event.stamp]);
			return { state: { ...state, shown: event.stamp, drafted, isDue: false }, effects: [] };
		}
	}
}

function started(
	state: Presence,
	{ reopened, stamp, claimed }: Extract<PresenceEvent, { type: "session_start" }>,
): PresenceStep {
	if (!reopened) return { state, effects: [] };
	const next = { ...state, stamp };
	if (!claimed) return { state: { ...next, isDue: isWanted(next) }, effects: [] };
	// An extension that has offered to show a summary may fail to do so, so a recap is drafted as a fallback.
	const drafted = draft({ ...next, shown: undefined });
	return { state: { ...drafted.state, shown: next.shown }, effects: drafted.effects };
}

/**
 * A key press after a long pause is treated as the user's return, because some terminals do not report a
 * loss of focus.
 */
function isReturn(state: Presence, now: number): boolean {
	const { awaySince, lastKeyAt, lastMouseAt, settledAt, limits } = state;
	if (awaySince !== undefined || !Number.isFinite(state.settledAt)) return false;
	return now - Math.max(lastKeyAt, lastMouseAt, settledAt) >= Math.max(limits.idleMs, TYPING_MS);
}

/**
 * The idle timer cannot show a recap while the machine is asleep, so the first key press after waking
 * is treated as the user's return.
 */
function typed(state: Presence, now: number): Presence {
	const next = { ...state, lastKeyAt: now };
	if (!isReturn(state, now)) return next;
	const lastReturn = { at: now, outcome: returnOutcome(state, true) };
	return { ...next, lastReturn, isDue: state.isDue || isWanted(state) };
}

function returned(state: Presence, now: number): Presence {
	if (state.awaySince === undefined) return state;
	const absence = now - state.awaySince;
	const isLong = absence >= state.limits.awayMs;
	const hasFinished = hasFinishedAway(state) && absence >= state.limits.focusMinMs;
	// The model has already been paid for a drafted recap, so the recap is shown even after a short absence.
	const isPaid = state.stamp !== undefined && state.drafted.has(state.stamp);
	const isDue = state.isWorking
		? state.isDue || isLong
		: isWanted(state) && (state.isDue || isLong || hasFinished || isPaid);
	return {
		...state,
		awaySince: undefined,
		isDue,
		lastReturn: { at: now, outcome: returnOutcome(state, isDue) },
	};
}

function returnOutcome(state: Presence, isDue: boolean): ReturnOutcome {
	if (!state.limits.auto) return "off";
	if (state.isWorking) return "working";
	if (state.stamp === undefined) return "too_little";
	if (!isWanted(state)) return "seen";
	return isDue ? "shown" : "brief";
}

interface PresenceDeps {
	config(): { limits: Limits };
	perform(effect: Effect): void;
	log(event: string, fields: Record<string, boolean>): void;
	now(): number;
	over: AbortSignal;
}

export function createPresence({ config, perform, log, now, over }: PresenceDeps) {
	let state = startPresence(config().limits);
	let timer: NodeJS.Timeout | undefined;

	function take(event: PresenceEvent): void {
		const at = now();
		const next = advance(state, event, at);
		state = next.state;
		clearTimeout(timer);
		const due = dueAt(state);
		if (due < Number.POSITIVE_INFINITY)
			timer = startTimer("recap", due - at, () => dispatch({ type: "tick" }));
		next.effects.forEach(perform);
	}

	function followSettings(): void {
		const { limits } = config();
		if (limits === state.limits) return;
		log("settings.changed", { auto: limits.auto });
		take({ type: "limits", limits });
	}

	function dispatch(event: PresenceEvent): void {
		if (over.aborted) return;
		followSettings();
		take(event);
	}

	function used(last: "lastKeyAt" | "lastMouseAt"): void {
		const at = now();
		if (isReturn(state, at)) dispatch({ type: "key" });
		else state = { ...state, [last]: at };
	}

	return {
		get state() {
			return state;
		},
		dispatch,
		followSettings,
		key: () => used("lastKeyAt"),
		mouse: () => used("lastMouseAt"),
	};
}

/**
 * If the wall clock advances this many milliseconds more than the monotonic clock, the machine was
 * asleep.
 */
const SLEPT_MS = 1_000;

/**
 * The monotonic clock stops during sleep on some systems, and the wall clock can be set back. The combined
 * clock avoids both problems.
 */
export function createClock({ wall, steady }: Record<"wall" | "steady", () => number>): () => number {
	let time = wall();
	let last = { wall: time, steady: steady() };
	return () => {
		const now = { wall: wall(), steady: steady() };
		const passed = now.steady - last.steady;
		const byWall = now.wall - last.wall;
		time += byWall - passed > SLEPT_MS ? byWall : passed;
		last = now;
		return time;
	};
}
