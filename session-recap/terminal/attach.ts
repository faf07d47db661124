import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { hostTui } from "../../session-core/terminal/host-tui.ts";
import { FOCUS_IN, FOCUS_OUT, focusReports } from "./focus-reports.ts";
import { watchOwnership } from "./ownership.ts";

export interface TerminalEvents {
	focusOut(): void;
	focusIn(): void;
	/** Pi gave the terminal to another program, or took it back. */
	lost(): void;
	gained(): void;
	/** Every other input. Called for each keystroke, so it must cost next to nothing. */
	key(): void;
}

export interface TerminalLink {
	/** False in RPC mode, where lines go to a program. */
	isTerminal: boolean;
	detach(): void;
}

const PROBE_KEY = "session-recap:probe";

/**
 * Connect to the terminal, if there is one. Focus reports are consumed here and never reach the editor; they are on
 * only while pi owns the terminal.
 */
export function attachTerminal(
	ui: Pick<ExtensionUIContext, "setWidget" | "onTerminalInput">,
	useFocus: boolean,
	events: TerminalEvents,
): TerminalLink {
	const owner = hostTui(ui, PROBE_KEY);
	if (!owner) return { isTerminal: false, detach: () => undefined };
	const stopListening = ui.onTerminalInput(inputHandler(useFocus, events));
	const reports = focusReports((data) => owner.terminal.write(data));
	if (useFocus) reports.on();
	const unwatch = watchOwnership(owner, {
		lost() {
			reports.off();
			events.lost();
		},
		gained() {
			if (useFocus) reports.on();
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

/** The raw listener: focus reports are taken out, everything else passes untouched. */
export function inputHandler(
	useFocus: boolean,
	events: Pick<TerminalEvents, "focusIn" | "focusOut" | "key">,
) {
	return (data: string): { consume: true } | undefined => {
		if (useFocus && data === FOCUS_IN) {
			events.focusIn();
			return CONSUMED;
		}
		if (useFocus && data === FOCUS_OUT) {
			events.focusOut();
			return CONSUMED;
		}
		events.key();
		return undefined;
	};
}

const CONSUMED = { consume: true } as const;
