import { writeSync } from "node:fs";

/** DECSET 1004, which makes the terminal report when it gains and loses focus (xterm control sequences, "FocusIn/FocusOut"). */
const ON = "\x1b[?1004h";
const OFF = "\x1b[?1004l";
export const FOCUS_IN = "\x1b[I";
export const FOCUS_OUT = "\x1b[O";

export interface FocusReports {
	on(): void;
	off(): void;
	/** Turns them off permanently and removes all handlers. */
	dispose(): void;
}

/**
 * Turns a terminal's focus reports on and off. They are also turned off when the process exits unexpectedly, as in a crash, and on
 * SIGTERM. SIGTERM needs a listener of our own: a library of the host (signal-exit, through proper-lockfile) ends the process if the
 * library's listener is the only one for the signal, which would cut the host's orderly shutdown short. `areHosts`: the host currently
 * uses the reports itself, and turns them off itself when it gives the terminal away.
 */
export function focusReports(write: (data: string) => void, areHosts: () => boolean): FocusReports {
	let isOn = false;
	const onExit = () => {
		if (!isOn) return;
		isOn = false;
		try {
			// The process is ending, so only a synchronous write still reaches the terminal.
			writeSync(1, OFF);
		} catch {
			// The terminal is gone (SIGHUP), so its modes no longer matter.
		}
	};
	const switchTo = (wanted: boolean) => {
		if (isOn === wanted) return;
		isOn = wanted;
		write(wanted ? ON : OFF);
	};
	const leave = () => {
		if (!areHosts()) switchTo(false);
	};
	process.on("exit", onExit);
	process.on("SIGTERM", leave);
	return {
		on: () => switchTo(true),
		off: () => switchTo(false),
		dispose: () => {
			leave();
			process.off("exit", onExit);
			process.off("SIGTERM", leave);
		},
	};
}
