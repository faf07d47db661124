import { writeSync } from "node:fs";
import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import {
	hasStopped,
	hearFirst,
	hostInput,
	hostTui,
	isFullscreen,
	watchOwnership,
} from "../session-core/pi/index.ts";

/** Private mode 1004 and its reports (xterm control sequences, "FocusIn/FocusOut"). */
const ON = "\x1b[?1004h";
const OFF = "\x1b[?1004l";
const FOCUS_IN = "\x1b[I";
const FOCUS_OUT = "\x1b[O";

/**
 * Turns a terminal's focus reports on and off. They are also turned off on SIGTERM, and when the process exits unexpectedly, for example
 * after a crash. SIGTERM needs a listener of our own, because a library that the host uses (signal-exit, through proper-lockfile) ends the
 * process if the library's listener is the only one for the signal. This would interrupt the host's orderly shutdown. `areHosts`: whether
 * the host currently uses the reports itself. If so, the host turns them off when it hands the terminal to another program.
 */
function focusReports(write: (data: string) => void, areHosts: () => boolean) {
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

/**
 * Milliseconds to wait for the rest of a focus report whose first byte arrived alone, as over `docker exec` or a serial line. Escape is
 * delayed by this time, which is too short to notice.
 */
const REST_MS = 80;

/**
 * Joins focus reports that arrive in pieces. The host would treat a lone ESC as the Escape key, which aborts the run, and the rest of the
 * report as typed text. An ESC is therefore held for a moment. If no report follows, `deliver` passes it to the host before any later
 * input.
 */
export function createSplitReports(deliver: (data: string) => void) {
	let held: string[] = [];
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
		/** Processes a piece of input. Returns `pass` if it is not part of a report, `held` if more input is needed, or the completed report. */
		take(data: string): "pass" | "held" | typeof FOCUS_IN | typeof FOCUS_OUT {
			const whole = held.join("") + data;
			if (held.length > 0 && (whole === FOCUS_IN || whole === FOCUS_OUT)) {
				drop();
				return whole;
			}
			if (held.length > 0 && whole !== "\x1b[") release();
			if (data !== "\x1b" && data !== "\x1b[" && (held.length === 0 || data !== "[")) return "pass";
			held.push(data);
			clearTimeout(timer);
			// On a busy machine, input may have arrived before the timer runs. Such input is read first.
			timer = setTimeout(() => {
				const waiting = held;
				setImmediate(() => held === waiting && release());
			}, REST_MS);
			return "held";
		},
	};
}

/**
 * `lost` and `gained`: pi gives the terminal to another program, or takes it back. `key` and `mouse` are called for each keystroke, paste
 * and mouse report, so they must be cheap.
 */
type TerminalEvents = Record<"focusOut" | "focusIn" | "lost" | "gained" | "key" | "mouse", () => void>;

/**
 * Connects to the terminal, if there is one. Focus reports never reach the editor, and are turned on only while pi owns the terminal. In
 * fullscreen mode, the host uses them as well, so we receive them first and pass them on.
 */
export function attachTerminal(
	ui: Pick<ExtensionUIContext, "setWidget" | "onTerminalInput">,
	useFocus: boolean,
	events: TerminalEvents,
): { isTerminal: boolean; detach(): void } {
	const tui = hostTui(ui);
	if (!tui) return { isTerminal: false, detach: () => undefined };
	const areHosts = () => isFullscreen(tui);
	/** Whether held input is currently being returned to the host. */
	let isReplayed = false;
	const split = createSplitReports((data) => {
		isReplayed = true;
		hostInput(tui)?.(data);
		isReplayed = false;
	});
	const canSplit = useFocus && hostInput(tui) !== undefined;
	const listener = (received: string): { consume: true } | undefined => {
		if (isReplayed) return undefined;
		// In fullscreen mode, the host requests the reports itself, and handles their pieces as it would without us.
		const taken = canSplit && !areHosts() ? split.take(received) : "pass";
		if (taken === "held") return { consume: true };
		const data = taken === "pass" ? received : taken;
		if (data === FOCUS_IN || data === FOCUS_OUT) {
			if (!useFocus) return undefined;
			if (data === FOCUS_IN) events.focusIn();
			else events.focusOut();
			return areHosts() ? undefined : { consume: true };
		}
		// Mouse reports arrive as SGR or as X10 (xterm control sequences, "Mouse Tracking").
		if (data.startsWith("\x1b[<") || data.startsWith("\x1b[M")) events.mouse();
		else events.key();
		return undefined;
	};
	const stopListening = ui.onTerminalInput(listener);
	const reports = focusReports((data) => tui.terminal.write(data), areHosts);
	// Other listeners must not receive held input twice.
	const hear = () => hearFirst(tui, listener);
	hear();
	// An external editor may have been opened while this code was loading.
	const isOurs = !hasStopped(tui);
	if (useFocus && isOurs) reports.on();
	const listeners = {
		lost() {
			reports.off();
			events.lost();
		},
		gained() {
			if (useFocus) reports.on();
			// When the user switches to fullscreen mode, the host starts the terminal first and then moves all listeners at once. Our
			// listener can be put first only after that.
			queueMicrotask(hear);
			events.gained();
		},
	};
	const unwatch = watchOwnership(tui.terminal, listeners, isOurs);
	return {
		isTerminal: true,
		detach() {
			split.release();
			stopListening();
			unwatch();
			reports.dispose();
		},
	};
}
