import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { watchOwnership } from "../../session-core/host/ownership.ts";
import { hasStopped, hearFirst, hostInput, hostTui, isFullscreen } from "../../session-core/host/tui.ts";
import { FOCUS_IN, FOCUS_OUT, focusReports } from "./focus-reports.ts";
import { createSplitReports, type SplitReports } from "./split-reports.ts";

export interface TerminalEvents {
	focusOut(): void;
	focusIn(): void;
	/** Called when pi gives the terminal to another program. `gained` is called when pi takes it back. */
	lost(): void;
	gained(): void;
	/** Called for each keystroke and each paste, so it must be cheap. */
	key(): void;
}

export interface TerminalLink {
	/** Whether the output is shown in a terminal. In RPC mode, it goes to a program. */
	isTerminal: boolean;
	/** Whether focus reports are off because they arrive in pieces, too slowly to be told from Escape. */
	isTooSlow(): boolean;
	detach(): void;
}

const PROBE_KEY = "session-recap:probe";

/**
 * Connects to the terminal, if there is one. Focus reports never reach the editor, and are turned on only while pi owns the terminal. In
 * fullscreen mode, the host uses them as well, so we receive them first and pass them on.
 */
export function attachTerminal(
	ui: Pick<ExtensionUIContext, "setWidget" | "onTerminalInput">,
	useFocus: boolean,
	events: TerminalEvents,
): TerminalLink {
	const tui = hostTui(ui, PROBE_KEY);
	if (!tui) return { isTerminal: false, isTooSlow: () => false, detach: () => undefined };
	const areHosts = () => isFullscreen(tui);
	/** Whether held input is being given back to the host. */
	let isReplayed = false;
	let isTooSlow = false;
	const split = createSplitReports(
		(data) => {
			isReplayed = true;
			hostInput(tui)?.(data);
			isReplayed = false;
		},
		() => {
			// The host has taken this report for Escape. It must not happen again.
			isTooSlow = true;
			reports.off();
		},
	);
	const hearInput = inputHandler({ useFocus, areHosts, split: hostInput(tui) && split }, events);
	const listener = (data: string) => (isReplayed ? undefined : hearInput(data));
	const stopListening = ui.onTerminalInput(listener);
	const reports = focusReports((data) => tui.terminal.write(data), areHosts);
	// Other listeners must not see input twice that was held.
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
			if (useFocus && !isTooSlow) reports.on();
			// When the user switches to fullscreen mode, the host starts the terminal first and then moves all listeners at once. Our
			// listener can be put first only after that.
			queueMicrotask(hear);
			events.gained();
		},
	};
	const unwatch = watchOwnership(tui.terminal, listeners, isOurs);
	return {
		isTerminal: true,
		isTooSlow: () => isTooSlow,
		detach() {
			split.release();
			stopListening();
			unwatch();
			reports.dispose();
		},
	};
}

export interface InputOptions {
	/** Whether we want focus reports. If not, they are passed on to other listeners. */
	useFocus: boolean;
	/** Whether the host wants the focus reports as well. */
	areHosts(): boolean;
	/** Joins reports that arrive in pieces; undefined if the host does not let us give input back to it. */
	split?: SplitReports | undefined;
}

/** Returns the listener for raw terminal input. It consumes focus reports, unless the host wants them, and passes on everything else. */
export function inputHandler(
	{ useFocus, areHosts, split }: InputOptions,
	events: Pick<TerminalEvents, "focusIn" | "focusOut" | "key">,
) {
	return (received: string): { consume: true } | undefined => {
		// In fullscreen mode, the host asks for reports itself, and takes their pieces as it would without us.
		const taken = useFocus && split && !areHosts() ? split.take(received) : "pass";
		if (taken === "held") return CONSUMED;
		const data = taken === "pass" ? received : taken;
		if (data === FOCUS_IN || data === FOCUS_OUT) {
			if (!useFocus) return undefined;
			if (data === FOCUS_IN) events.focusIn();
			else events.focusOut();
			return areHosts() ? undefined : CONSUMED;
		}
		if (!isMouseReport(data)) events.key();
		return undefined;
	};
}

const CONSUMED = { consume: true } as const;

/**
 * Whether input is a mouse report in one of the two encodings that hosts request: SGR or X10 (xterm control sequences, "Mouse Tracking").
 */
function isMouseReport(data: string): boolean {
	return data.startsWith("\x1b[<") || data.startsWith("\x1b[M");
}
