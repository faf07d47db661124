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
import { background, startTimer } from "../session-core/text/index.ts";

/** Private mode 1004 makes an xterm-compatible terminal report when it gains or loses focus. */
const ON = "\x1b[?1004h";
const OFF = "\x1b[?1004l";
const FOCUS_IN = "\x1b[I";
const FOCUS_OUT = "\x1b[O";

/**
 * A SIGTERM listener is needed to turn focus reports off, because pi's signal-exit library ends the process
 * immediately if no other SIGTERM listener exists.
 */
function focusReports(write: (data: string) => void, areHosts: () => boolean) {
	let isOn = false;
	const switchTo = (wanted: boolean) => {
		if (isOn === wanted) return;
		isOn = wanted;
		write(wanted ? ON : OFF);
	};
	const leave = () => {
		if (!areHosts()) switchTo(false);
	};
	process.on("SIGTERM", leave);
	return {
		on: () => switchTo(true),
		off: () => switchTo(false),
		exit() {
			try {
				// Only a synchronous write can reach the terminal while the process is exiting.
				if (isOn) writeSync(1, OFF);
			} catch {
				// If the terminal is gone, its modes need not be restored.
			}
		},
		dispose() {
			leave();
			process.off("SIGTERM", leave);
		},
	};
}

/**
 * How many milliseconds to wait for the rest of a focus report. A slow connection, such as `docker exec`
 * or a serial line, may split the report.
 */
const REST_MS = 80;

/**
 * Holds back a lone ESC byte until it is clear that no focus report follows, because pi would treat the
 * byte as the Escape key and abort the run.
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
			// On a busy machine, input may arrive before the timer fires, so pending input is read first.
			timer = startTimer("recap", REST_MS, () => {
				const waiting = held;
				setImmediate(() => background("recap", () => held === waiting && release()));
			});
			return "held";
		},
	};
}

/** `lost` means that pi gives the terminal to another program, such as an external editor. */
type TerminalEvents = Record<"focusOut" | "focusIn" | "lost" | "gained" | "key" | "mouse", () => void>;

/**
 * Turns focus reports on while pi owns the terminal. The reports are passed on to pi only in fullscreen
 * mode, because pi uses them there.
 */
export function attachTerminal(
	ui: Pick<ExtensionUIContext, "setWidget" | "onTerminalInput">,
	useFocus: boolean,
	events: TerminalEvents,
): { isTerminal: boolean; exit(): void; detach(): void } {
	const tui = hostTui(ui);
	if (!tui) return { isTerminal: false, exit: () => undefined, detach: () => undefined };
	const areHosts = () => isFullscreen(tui);
	let isReplayed = false;
	const split = createSplitReports((data) => {
		isReplayed = true;
		hostInput(tui)?.(data);
		isReplayed = false;
	});
	const canSplit = useFocus && hostInput(tui) !== undefined;
	const listener = (received: string): { consume: true } | undefined => {
		if (isReplayed) return undefined;
		// In fullscreen mode, pi requests focus reports and reassembles reports that arrive in parts.
		const taken = canSplit && !areHosts() ? split.take(received) : "pass";
		if (taken === "held") return { consume: true };
		const data = taken === "pass" ? received : taken;
		if (data === FOCUS_IN || data === FOCUS_OUT) {
			if (!useFocus) return undefined;
			if (data === FOCUS_IN) events.focusIn();
			else events.focusOut();
			return areHosts() ? undefined : { consume: true };
		}
		// Mouse reports arrive in SGR or X10 format (see "Mouse Tracking" in the xterm control sequences).
		if (data.startsWith("\x1b[<") || data.startsWith("\x1b[M")) events.mouse();
		else events.key();
		return undefined;
	};
	const stopListening = ui.onTerminalInput(listener);
	const reports = focusReports((data) => tui.terminal.write(data), areHosts);
	const hear = () => hearFirst(tui, listener);
	hear();
	// An external editor may have been opened while this code was loading and may now own the terminal.
	const isOurs = !hasStopped(tui);
	if (useFocus && isOurs) reports.on();
	const listeners = {
		lost() {
			reports.off();
			events.lost();
		},
		gained() {
			if (useFocus) reports.on();
			// Fullscreen mode reorders input listeners, so session-recap's listener is moved to the front again.
			queueMicrotask(() => background("recap", hear));
			events.gained();
		},
	};
	const unwatch = watchOwnership(tui.terminal, listeners, isOurs);
	return {
		isTerminal: true,
		exit: reports.exit,
		detach() {
			split.release();
			stopListening();
			unwatch();
			reports.dispose();
		},
	};
}
