import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { watchOwnership } from "../../session-core/host/ownership.ts";
import { hearFirst, hostTui, isFullscreen } from "../../session-core/host/tui.ts";
import { FOCUS_IN, FOCUS_OUT, focusReports } from "./focus-reports.ts";

export interface TerminalEvents {
	focusOut(): void;
	focusIn(): void;
	/** pi gave the terminal to another program, or took it back. */
	lost(): void;
	gained(): void;
	/** A key or a paste. Called for each keystroke, so it must be cheap. */
	key(): void;
}

export interface TerminalLink {
	/** Whether a terminal shows the output. In RPC mode, another program does. */
	isTerminal: boolean;
	detach(): void;
}

const PROBE_KEY = "session-recap:probe";

/**
 * Connects to the terminal, if there is one. Focus reports never reach the editor; they are enabled only while pi owns
 * the terminal. In fullscreen mode, the host uses them, too: we receive them first and pass them on.
 */
export function attachTerminal(
	ui: Pick<ExtensionUIContext, "setWidget" | "onTerminalInput">,
	useFocus: boolean,
	events: TerminalEvents,
): TerminalLink {
	const tui = hostTui(ui, PROBE_KEY);
	if (!tui) return { isTerminal: false, detach: () => undefined };
	const areHosts = () => isFullscreen(tui);
	const listener = inputHandler({ useFocus, areHosts }, events);
	const stopListening = ui.onTerminalInput(listener);
	const reports = focusReports((data) => tui.terminal.write(data), areHosts);
	const hear = () => {
		if (areHosts()) hearFirst(tui, listener);
	};
	hear();
	if (useFocus) reports.on();
	const unwatch = watchOwnership(tui.terminal, {
		lost() {
			reports.off();
			events.lost();
		},
		gained() {
			if (useFocus) reports.on();
			// A switch to fullscreen starts the terminal first and then moves all listeners at once.
			queueMicrotask(hear);
			events.gained();
		},
	});
	return {
		isTerminal: true,
		detach() {
			stopListening();
			unwatch();
			reports.dispose();
		},
	};
}

export interface InputOptions {
	/** We want focus reports; otherwise they are passed on to other listeners. */
	useFocus: boolean;
	/** The host wants the focus reports, too. */
	areHosts(): boolean;
}

/** The raw listener: it consumes focus reports, unless the host wants them, and passes everything else on. */
export function inputHandler(
	{ useFocus, areHosts }: InputOptions,
	events: Pick<TerminalEvents, "focusIn" | "focusOut" | "key">,
) {
	return (data: string): { consume: true } | undefined => {
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

/** Whether input is a mouse report, in either encoding that hosts request (xterm control sequences, "Mouse Tracking": SGR, else X10). */
function isMouseReport(data: string): boolean {
	return data.startsWith("\x1b[<") || data.startsWith("\x1b[M");
}
