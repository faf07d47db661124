import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { matchesKey } from "@mariozechner/pi-tui";
import { inProcess } from "./start-work.ts";
import { focusedEditor, hostTui, submitCommand } from "./tui.ts";

/**
 * Calls `pressed` when the user presses Escape at the prompt. The host does not receive the key, unless a dialog or a list of completions
 * is open.
 */
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

/** The held input returns to its prompt if the next session has not opened after this number of milliseconds. */
const DEADLINE_MS = 5_000;

/** The held input is kept outside this module, because the next session has its own copy of the module. */
const kept = inProcess("prompt", (): { held?: { sessionId: string; release(): void } | undefined } => ({}));

/**
 * Holds back what the user types at the prompt (text, Enter, Backspace and pastes) while a dialog decides whether the session is replaced.
 * Many users continue to type after they have pressed Enter. Without this function, the host would lose their text or send it to the
 * session that is being replaced. Dialogs still receive their keys, and the host receives all other keys.
 */
export function holdPrompt(
	ui: Pick<ExtensionUIContext, "setWidget" | "getEditorText" | "setEditorText">,
	sessionId: string,
) {
	const tui = hostTui(ui);
	const keys: string[] = [];
	// The host removes listeners that were added with `onTerminalInput` when the session ends. The user, however, continues to type while the
	// next session opens.
	const stop = tui?.addInputListener((data) => {
		// Terminal reports and other keys begin with an escape sequence other than the one that starts a paste.
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
	/** Types the held text at this session's prompt again, without its Enter keys, so that nothing is sent. */
	const returnText = () => replay((key) => key !== "\r" && key !== "\n");
	/**
	 * Announces that the host is about to replace the session. The prompt of the next session receives the held input and everything that the
	 * user types until then (`promptIsReady`). If no session opens in time, the text returns to the current prompt, and `failed` is called.
	 */
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
		 * Runs a command that replaces the session or quits pi, and passes the held input to the next session. Returns false if no command can be
		 * run; the held text then returns to the prompt.
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
 * Types the input that was held while the session was replaced at the new session's prompt. If a session that is itself being replaced
 * calls this function late, because its modules load after the first paint, nothing happens.
 */
export function promptIsReady(sessionId: string): void {
	const held = kept.held;
	if (!held || held.sessionId === sessionId) return;
	kept.held = undefined;
	held.release();
}
