import type { RecapConfig } from "./config.ts";
import { advance, type Effect, isReturn, type PresenceEvent, startPresence, type Timer } from "./presence.ts";

/** The effects that the session performs. Timer effects are not among them, because the state machine handles its timers itself. */
export type OutwardEffect = Exclude<Effect, { type: "arm" | "disarm" }>;

interface MachineDeps {
	/** Returns the current configuration. It is the same object as long as nothing has changed. */
	config(): Pick<RecapConfig, "limits">;
	perform(effect: OutwardEffect): void;
	log(event: string, fields: Record<string, boolean>): void;
	now(): number;
}

/** Creates the presence of one session: its state, its timers and its current settings. */
export function createPresence({ config, perform, log, now }: MachineDeps) {
	let state = startPresence(config().limits);
	let lastKeyAt = state.lastKeyAt;
	/** One timer per name. None of them keeps the process alive. */
	const timers = new Map<Timer, NodeJS.Timeout>();

	function apply(event: PresenceEvent): void {
		const next = advance(state, event, now());
		state = next.state;
		for (const effect of next.effects) {
			if (effect.type === "arm") arm(effect.timer, effect.ms);
			else if (effect.type === "disarm") clearTimeout(timers.get(effect.timer));
			else perform(effect);
		}
	}

	function arm(timer: Timer, ms: number): void {
		clearTimeout(timers.get(timer));
		timers.set(timer, setTimeout(() => dispatch({ type: "timer", timer }), ms).unref());
	}

	/**
	 * Reads the settings again, because another process may have changed them since the last event, for example to turn automatic recaps
	 * off. `dispatch` does this as well.
	 */
	function followSettings(): void {
		const { limits } = config();
		if (limits === state.limits) return;
		log("settings.changed", { auto: limits.auto });
		apply({ type: "limits", limits });
	}

	function dispatch(event: PresenceEvent): void {
		if (state.over) return;
		followSettings();
		state = { ...state, lastKeyAt };
		apply(event);
	}

	return {
		get state() {
			return { ...state, lastKeyAt };
		},
		dispatch,
		followSettings,
		/** Records a keystroke. This is cheap, because the state is updated only at the next event. */
		key() {
			const at = now();
			if (isReturn({ ...state, lastKeyAt }, at)) dispatch({ type: "key" });
			lastKeyAt = at;
		},
		end() {
			dispatch({ type: "session_end" });
			for (const handle of timers.values()) clearTimeout(handle);
		},
	};
}

/** If the wall clock has advanced by this many milliseconds more than the monotonic clock, the machine was asleep. */
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
