import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { matchesKey } from "@mariozechner/pi-tui";
import { startTimer } from "../../text/index.ts";
import { inProcess } from "./start-work.ts";
import { focusedEditor, hostTui, submitCommand } from "./tui.ts";

/** Handles Escape at the prompt. While a dialog or completion list is open, pi receives the key instead. */
export function onEscape(
	ui: Pick<ExtensionUIContext, "setWidget" | "onTerminalInput">,
	pressed: () => void,
): () => void {
	const tui = hostTui(ui);
	if (!tui) return () => undefined;
	return ui.onTerminalInput((data) => {
		if (!matchesKey(data, "escape")) return undefined;
		const editor = focusedEditor(tui);
		if (!editor || editor.isShowingAutocomplete?.()) return undefined;
		pressed();
		return { consume: true };
	});
}

export type HeldPrompt = ReturnType<typeof holdPrompt>;

/** Unless the next session opens within this many milliseconds, the prompt gets the keystrokes back. */
const DEADLINE_MS = 5_000;

/** The held keystrokes are global, because the next session loads its own copy of this module. */
const kept = inProcess("prompt", (): { held?: { sessionId: string; release(): void } | undefined } => ({}));

/**
 * Holds the user's keystrokes while a dialog may replace the session, because pi would otherwise lose the
 * typed text or send it to the old session.
 */
export function holdPrompt(
	ui: Pick<ExtensionUIContext, "setWidget" | "getEditorText" | "setEditorText">,
	sessionId: string,
) {
	const tui = hostTui(ui);
	const keys: string[] = [];
	// pi removes `onTerminalInput` listeners when a session ends, so this listener is added to the TUI.
	const stop = tui?.addInputListener((data) => {
		// A bracketed paste begins with an escape sequence (`\x1b[200~`) but still counts as text.
		const isText = !data.startsWith("\x1b") || data.startsWith("\x1b[200~");
		if (!isText || !focusedEditor(tui)) return undefined;
		keys.push(data);
		return { consume: true };
	});
	const replay = (isReplayed: (key: string) => boolean) => {
		stop?.();
		for (const key of keys.splice(0).filter(isReplayed)) if (tui) focusedEditor(tui)?.handleInput?.(key);
		tui?.requestRender();
	};
	const release = () => replay(() => true);
	/** Replays the held keystrokes, except Enter, so that nothing is sent. */
	const returnText = () => replay((key) => key !== "\r" && key !== "\n");
	const handOver = (failed?: () => void) => {
		const late = startTimer("session-suite", DEADLINE_MS, () => {
			kept.held = undefined;
			returnText();
			failed?.();
		});
		kept.held = {
			sessionId,
			release() {
				clearTimeout(late);
				release();
			},
		};
	};
	return {
		release,
		handOver,
		/**
		 * Runs a command that replaces the session or quits pi. If the command cannot run, returns false
		 * and gives the held keystrokes back to the prompt.
		 */
		run(command: string, failed: () => void): boolean {
			const isRun = ui.getEditorText().trim() === "" && submitCommand(ui, command);
			if (isRun) handOver(failed);
			else returnText();
			return isRun;
		},
	};
}

/**
 * Replays the held keystrokes at the new session's prompt. Does nothing if `sessionId` identifies the
 * session that is being replaced.
 */
export function promptIsReady(sessionId: string): void {
	const held = kept.held;
	if (!held || held.sessionId === sessionId) return;
	kept.held = undefined;
	held.release();
}
