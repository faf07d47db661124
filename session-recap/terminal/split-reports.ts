import { FOCUS_IN, FOCUS_OUT } from "./focus-reports.ts";

/**
 * Milliseconds to wait for the rest of a focus report whose first byte arrived alone, as over `docker exec` or a serial line. Escape is
 * delayed by this time, which is too short to notice.
 */
const REST_MS = 80;
/** Milliseconds after Escape in which a bracket and a letter that arrive at once are the late rest of a report. No user types that fast. */
const LATE_MS = 1_000;

/** Joins focus reports that arrive in pieces. */
export interface SplitReports {
	/** Takes a piece of input: `pass` if it is no part of a report, `held` if more must arrive, or the report that it completes. */
	take(data: string): "pass" | "held" | typeof FOCUS_IN | typeof FOCUS_OUT;
	/** Passes on what is held. */
	release(): void;
}

/**
 * The host takes a lone ESC for the Escape key, which aborts the run, and types the rest of the report. So an ESC is held for a moment. If no
 * report follows, `deliver` gives it back to the host, before anything that arrived later. `late` is called if the rest of a report arrived
 * too late to prevent that.
 */
export function createSplitReports(deliver: (data: string) => void, late: () => void): SplitReports {
	let held: string[] = [];
	let escapedAt = Number.NEGATIVE_INFINITY;
	let timer: NodeJS.Timeout | undefined;
	const drop = () => {
		clearTimeout(timer);
		const pieces = held;
		held = [];
		return pieces;
	};
	const release = () => {
		for (const piece of drop()) deliver(piece);
	};
	return {
		release,
		take(data) {
			if (held[0] === "[" && (data === "I" || data === "O")) {
				drop();
				late();
				return data === "I" ? FOCUS_IN : FOCUS_OUT;
			}
			if (held.length === 0 && data === "[" && performance.now() - escapedAt < LATE_MS) {
				held = [data];
				setImmediate(() => held[0] === data && release());
				return "held";
			}
			const whole = held.join("") + data;
			if (held.length > 0 && (whole === FOCUS_IN || whole === FOCUS_OUT)) {
				drop();
				return whole;
			}
			if (held.length > 0 && whole !== "\x1b[") release();
			if (data !== "\x1b" && data !== "\x1b[" && (held.length === 0 || data !== "[")) return "pass";
			held.push(data);
			clearTimeout(timer);
			// On a busy machine, input may have arrived before the timer runs. It is read first.
			timer = setTimeout(() => {
				const waiting = held;
				setImmediate(() => {
					if (held !== waiting) return;
					escapedAt = performance.now();
					release();
				});
			}, REST_MS);
			return "held";
		},
	};
}
