/** Seconds that the system's clock must run ahead for it to count: then the machine slept, and nobody was there. */
const SLEPT_MS = 1_000;

export interface ClockSources {
	/** The system's clock, in ms: stands for the time of day, so people and time servers set it. */
	wall(): number;
	/** Milliseconds that only grow; some systems stop them while they sleep. */
	steady(): number;
}

/** Time that passes as people feel it, in ms: it never goes back, and goes on while the machine sleeps. */
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
