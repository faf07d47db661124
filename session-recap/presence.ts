/** Time thresholds in milliseconds, and switches for the automatic triggers. */
export interface Limits {
	awayMs: number;
	focusMinMs: number;
	idleMs: number;
	focus: boolean;
	auto: boolean;
}

/**
 * An event. `stamp` is the id of the last message, or undefined if the conversation is too short for a recap. `claimed`: another extension
 * shows the state of the session and uses the draft. `inspected` is the result of `inspect`, and never arrives during a run.
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
 * `inspect`: read the conversation and dispatch `inspected`, unless a run is active. `draft`: prepare a recap of this state without showing
 * it, with at most one model call. `clear`: remove the recap from the screen and abort a request in progress.
 */
export type Effect = { type: "inspect" | "clear" } | { type: "draft" | "reveal"; stamp: string };

/** Whether a recap was shown at a return or, if not, why not. `seen`: the recap of this state was shown before. */
export type ReturnOutcome = "shown" | "off" | "working" | "too_little" | "seen" | "brief";

export interface Presence {
	limits: Limits;
	/** Whether a run has started and its result has not been inspected yet. */
	isWorking: boolean;
	/** The settled state for which a recap can be shown; undefined if there is none or if the conversation may have changed since. */
	stamp: string | undefined;
	/** Every state for which a recap was drafted, so that jumping back in the session tree does not cause a second model call. */
	drafted: ReadonlySet<string>;
	shown: string | undefined;
	/** When the user left, in ms; undefined if the user is present or the time is unknown. */
	awaySince: number | undefined;
	/** Whether a recap is to be shown as soon as no run is active and the user is present and not typing. */
	isDue: boolean;
	/** The time of the last keystroke in ms; minus infinity if there was none. */
	lastKeyAt: number;
	/** A mouse report proves that a person is present, but does not count as typing. */
	lastMouseAt: number;
	/** When the last run ended, in ms; minus infinity if there was none. */
	settledAt: number;
	/** When the user last returned, in ms, and the result; undefined if the user was never away. */
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

/** Advances the presence state by one event. `now` is in milliseconds. */
export function advance(before: Presence, event: PresenceEvent, now: number): PresenceStep {
	const { state, effects } = apply(before, event, now);
	// New limits alone have no effect, because they are always followed by another event, which may be a keystroke.
	if (event.type === "limits" || now < dueAt(state)) return { state, effects };
	const drafted = draft(state);
	if (now < showAt(state) || state.stamp === undefined)
		return { state: drafted.state, effects: [...effects, ...drafted.effects] };
	return {
		state: { ...drafted.state, shown: state.stamp, isDue: false },
		effects: [...effects, ...drafted.effects, { type: "reveal", stamp: state.stamp }],
	};
}

/** Returns the time in ms at which a recap must be drafted or shown if nothing else happens before; infinity if never. */
export function dueAt(state: Presence): number {
	return Math.min(draftAt(state), showAt(state));
}

/** A recap is drafted during an absence, so that it can be shown in the same frame in which the user returns. */
function draftAt(state: Presence): number {
	const { awaySince, drafted, limits } = state;
	if (!isWanted(state) || awaySince === undefined || drafted.has(state.stamp))
		return Number.POSITIVE_INFINITY;
	// An absence that is shorter than the minimum must not cause a model call.
	return awaySince + (hasFinishedAway(state) ? limits.focusMinMs : limits.awayMs);
}

/**
 * A recap that is due waits for a pause in typing. If no recap is due, one is shown after the idle time, even if the terminal reports
 * focus, because a user can walk away from a terminal that keeps the focus.
 */
function showAt(state: Presence): number {
	const { awaySince, isDue, lastKeyAt, settledAt, limits } = state;
	if (!isWanted(state) || awaySince !== undefined) return Number.POSITIVE_INFINITY;
	if (isDue) return lastKeyAt + TYPING_MS;
	if (!Number.isFinite(state.settledAt)) return Number.POSITIVE_INFINITY;
	return Math.max(activeAt(state), settledAt) + limits.idleMs;
}

/** Returns the time in ms at which the user last pressed a key, used the mouse or returned to this terminal; minus infinity if never. */
export function activeAt({ lastKeyAt, lastMouseAt, lastReturn }: Presence): number {
	return Math.max(lastKeyAt, lastMouseAt, lastReturn?.at ?? Number.NEGATIVE_INFINITY);
}

/** Whether a recap of the settled state may be shown: automatic recaps are on, and this recap has not been shown yet. */
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
				// The host may restart a run after the provider has failed.
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
	// The extension that claimed the session may never show the recap, so this state does not count as shown.
	const drafted = draft({ ...next, shown: undefined });
	return { state: { ...drafted.state, shown: next.shown }, effects: drafted.effects };
}

/** Whether a keystroke after this pause counts as a return. This is needed if the terminal kept its focus or does not report it. */
function isReturn(state: Presence, now: number): boolean {
	const { awaySince, lastKeyAt, lastMouseAt, settledAt, limits } = state;
	if (awaySince !== undefined || !Number.isFinite(state.settledAt)) return false;
	return now - Math.max(lastKeyAt, lastMouseAt, settledAt) >= Math.max(limits.idleMs, TYPING_MS);
}

/**
 * Handles a keystroke. Normally, the idle timer has shown the recap before the user returns, but not if the machine was asleep. In that
 * case, the first keystroke counts as a return, and the recap appears at the next pause.
 */
function typed(state: Presence, now: number): Presence {
	const next = { ...state, lastKeyAt: now };
	if (!isReturn(state, now)) return next;
	const lastReturn = { at: now, outcome: outcomeOf(state, true) };
	return { ...next, lastReturn, isDue: state.isDue || isWanted(state) };
}

function returned(state: Presence, now: number): Presence {
	if (state.awaySince === undefined) return state;
	const absence = now - state.awaySince;
	const isLong = absence >= state.limits.awayMs;
	const hasFinished = hasFinishedAway(state) && absence >= state.limits.focusMinMs;
	// The draft has already been paid for, so it is shown even after a short absence.
	const isPaid = state.stamp !== undefined && state.drafted.has(state.stamp);
	const isDue = state.isWorking
		? state.isDue || isLong
		: isWanted(state) && (state.isDue || isLong || hasFinished || isPaid);
	return { ...state, awaySince: undefined, isDue, lastReturn: { at: now, outcome: outcomeOf(state, isDue) } };
}

function outcomeOf(state: Presence, isDue: boolean): ReturnOutcome {
	if (!state.limits.auto) return "off";
	if (state.isWorking) return "working";
	if (state.stamp === undefined) return "too_little";
	if (!isWanted(state)) return "seen";
	return isDue ? "shown" : "brief";
}

interface PresenceDeps {
	/** Returns the current configuration. Returns the same object as long as nothing has changed. */
	config(): { limits: Limits };
	perform(effect: Effect): void;
	log(event: string, fields: Record<string, boolean>): void;
	now(): number;
}

export function createPresence({ config, perform, log, now }: PresenceDeps) {
	let state = startPresence(config().limits);
	let isOver = false;
	/** Fires when something is due. The timer does not keep the process alive. */
	let timer: NodeJS.Timeout | undefined;

	function take(event: PresenceEvent): void {
		const at = now();
		const next = advance(state, event, at);
		state = next.state;
		clearTimeout(timer);
		const due = dueAt(state);
		if (due < Number.POSITIVE_INFINITY)
			timer = setTimeout(() => dispatch({ type: "tick" }), due - at).unref();
		next.effects.forEach(perform);
	}

	/** Another process may have changed the settings, for example to turn recaps off. `dispatch` also reads them again. */
	function followSettings(): void {
		const { limits } = config();
		if (limits === state.limits) return;
		log("settings.changed", { auto: limits.auto });
		take({ type: "limits", limits });
	}

	function dispatch(event: PresenceEvent): void {
		if (isOver) return;
		followSettings();
		take(event);
	}

	return {
		get state() {
			return state;
		},
		dispatch,
		followSettings,
		/** Records a keystroke. This must be cheap, so the settings are not read unless the keystroke is a return. */
		key() {
			const at = now();
			if (isReturn(state, at)) dispatch({ type: "key" });
			else state = { ...state, lastKeyAt: at };
		},
		/**
		 * Records a mouse report. This must be cheap, so the idle timer is not restarted. When the timer fires, it notices that it must wait
		 * longer.
		 */
		mouse() {
			const at = now();
			if (isReturn(state, at)) dispatch({ type: "key" });
			else state = { ...state, lastMouseAt: at };
		},
		end() {
			isOver = true;
			clearTimeout(timer);
		},
	};
}

/** If the wall clock has advanced by at least this many milliseconds more than the monotonic clock, the machine was asleep. */
const SLEPT_MS = 1_000;

/**
 * Creates a clock in ms that never runs backwards and that includes the time during which the machine sleeps. `wall`: the time of day, which
 * users and time servers may change. `steady`: a monotonic clock, which on some systems stops during sleep.
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
