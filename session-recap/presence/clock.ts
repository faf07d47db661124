/** If the wall clock has advanced by this many milliseconds more than the monotonic clock, the machine was asleep. */
const SLEPT_MS = 1_000;

export interface ClockSources {
	/** Returns the time of day in milliseconds. Users and time servers may change this clock. */
	wall(): number;
	/** Returns the reading of a monotonic clock in ms. On some systems, this clock stops during sleep. */
	steady(): number;
}

/** Creates a clock in ms that never runs backwards and that includes the time during which the machine sleeps. */
export function createClock({ wall, steady }: ClockSources): () => number {
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
