import { writeSync } from "node:fs";

/** DECSET 1004: the terminal reports when it gains and loses focus (xterm control sequences, "FocusIn/FocusOut"). */
const ON = "\x1b[?1004h";
const OFF = "\x1b[?1004l";
export const FOCUS_IN = "\x1b[I";
export const FOCUS_OUT = "\x1b[O";

export interface FocusReports {
	on(): void;
	off(): void;
	/** Switches them off permanently and removes all handlers. */
	dispose(): void;
}

/**
 * Focus reports of one terminal. They are also switched off when the process exits without notice, as on a crash, and
 * on SIGTERM: the host's orderly shutdown is cut short there by a library of its own (signal-exit, through
 * proper-lockfile) that ends the process as soon as it is the signal's only listener left, which ours prevents.
 * `areHosts`: the host currently uses them itself, and switches them off itself when it gives the terminal away.
 */
export function focusReports(write: (data: string) => void, areHosts: () => boolean): FocusReports {
	let isOn = false;
	const onExit = () => {
		if (!isOn) return;
		isOn = false;
		try {
			// The process is ending: only a synchronous write still arrives.
			writeSync(1, OFF);
		} catch {
			// The terminal is gone (SIGHUP), including its modes.
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
