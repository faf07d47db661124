import { writeSync } from "node:fs";

/**
 * Control sequences that turn focus reports on and off (private mode 1004), and the reports that the terminal sends (xterm control
 * sequences, "FocusIn/FocusOut").
 */
const ON = "\x1b[?1004h";
const OFF = "\x1b[?1004l";
export const FOCUS_IN = "\x1b[I";
export const FOCUS_OUT = "\x1b[O";

export interface FocusReports {
	on(): void;
	off(): void;
	/** Turns focus reports off permanently, and removes all handlers. */
	dispose(): void;
}

/**
 * Turns a terminal's focus reports on and off. They are also turned off on SIGTERM, and when the process exits unexpectedly, for example
 * after a crash. SIGTERM needs a listener of our own, because a library that the host uses (signal-exit, through proper-lockfile) ends the
 * process if the library's listener is the only one for the signal. This would interrupt the host's orderly shutdown. `areHosts`: whether
 * the host currently uses the reports itself. If so, the host turns them off when it gives the terminal away.
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
