import type { Timer } from "./presence/types.ts";

export interface Timers {
	arm(timer: Timer, ms: number): void;
	disarm(timer: Timer): void;
	disarmAll(): void;
}

/** Performs the machine's timer effects. At most one of each; none keeps the process alive. */
export function createTimers(fired: (timer: Timer) => void): Timers {
	const handles = new Map<Timer, NodeJS.Timeout>();
	const disarm = (timer: Timer) => {
		clearTimeout(handles.get(timer));
		handles.delete(timer);
	};
	return {
		arm(timer, ms) {
			disarm(timer);
			const handle = setTimeout(() => {
				handles.delete(timer);
				fired(timer);
			}, ms);
			handle.unref();
			handles.set(timer, handle);
		},
		disarm,
		disarmAll() {
			for (const timer of [...handles.keys()]) disarm(timer);
		},
	};
}
