import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { matchesKey } from "@mariozechner/pi-tui";
import { inProcess } from "./start-work.ts";
import { focusedEditor, hostTui, submitCommand } from "./tui.ts";

/** Keeps Escape from pi, unless a dialog or a list of completions is open. */
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

/** If the next session has not opened after this number of milliseconds, the held text returns to its own prompt. */
const DEADLINE_MS = 5_000;

/** The held text is stored in the global object, because the next session loads its own copy of this module. */
const kept = inProcess("prompt", (): { held?: { sessionId: string; release(): void } | undefined } => ({}));

/**
 * Holds back what the user types while a dialog decides whether the session is replaced. Many users continue to type after they have
 * pressed Enter, and pi would lose that text or send it to the old session. Dialogs still receive their keys.
 */
export function holdPrompt(
	ui: Pick<ExtensionUIContext, "setWidget" | "getEditorText" | "setEditorText">,
	sessionId: string,
) {
	const tui = hostTui(ui);
	const keys: string[] = [];
	// pi removes `onTerminalInput` listeners when the session ends, but the user continues to type while the next session opens.
	const stop = tui?.addInputListener((data) => {
		// Terminal reports and special keys begin with an escape character. `\x1b[200~` starts a paste.
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
	/** Types the held text again without its Enter keys, so that nothing is sent. */
	const returnText = () => replay((key) => key !== "\r" && key !== "\n");
	/** Passes the held text to the prompt of the next session. If no session opens in time, the text returns to the current prompt. */
	const handOver = (failed?: () => void) => {
		const late = setTimeout(() => {
			kept.held = undefined;
			returnText();
			failed?.();
		}, DEADLINE_MS).unref();
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
		 * Runs a command that replaces the session or quits pi. If the command cannot be run, returns false, and the held text returns to the
		 * prompt.
		 */
		run(command: string, failed: () => void): boolean {
			const isRun = ui.getEditorText().trim() === "" && submitCommand(ui, command);
			if (isRun) handOver(failed);
			else returnText();
			return isRun;
		},
	};
}

/** Types the held text at the prompt of a new session. Does nothing if the session with this id is itself being replaced. */
export function promptIsReady(sessionId: string): void {
	const held = kept.held;
	if (!held || held.sessionId === sessionId) return;
	kept.held = undefined;
	held.release();
}
