import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { matchesKey } from "@mariozechner/pi-tui";
import { inProcess } from "./start-work.ts";
import { focusedEditor, hostTui, submitCommand } from "./tui.ts";

/**
 * Calls `pressed` when Escape is pressed at the prompt. The key does not reach the host, unless a dialog or a list of completions is open.
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

/** Maximum number of milliseconds until the next session opens. */
const DEADLINE_MS = 5_000;

/** The held input is kept outside this module, because the next session has its own copy of the module. */
const kept = inProcess("prompt", (): { held?: { sessionId: string; release(): void } | undefined } => ({}));

/**
 * Holds back what is typed at the prompt (text, Enter, Backspace and pastes) while a dialog decides whether the session is replaced. Users
 * continue to type after pressing Enter. If their text were not held back, the host would send it to the session that they are leaving, or
 * lose it. Dialogs still receive their keys, and the host receives all other keys.
 */
export function holdPrompt(
	ui: Pick<ExtensionUIContext, "setWidget" | "getEditorText" | "setEditorText">,
	sessionId: string,
) {
	const tui = hostTui(ui);
	const keys: string[] = [];
	// A listener added through the host's `onTerminalInput` would end with the session, but the user continues to type while the next
	// session opens.
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
	/** Returns the text to this prompt without its Enter keys, so that nothing is sent. */
	const returnText = () => replay((key) => key !== "\r" && key !== "\n");
	/**
	 * Announces that the host is about to replace the session. The held input and everything typed from now on go to the prompt of the next
	 * session (`promptIsReady`). If no session opens in time, the text returns to this prompt, and `failed` is called.
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
		 * Runs a command that replaces the session or quits pi, and hands over the held input. Returns false if no command can be run here;
		 * in that case, the held text returns to the prompt.
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
 * Passes the input that was typed while this session replaced another one to this session's prompt. Does nothing for a session that is
 * itself being replaced; such a session may call this function late, because its modules load after the first paint.
 */
export function promptIsReady(sessionId: string): void {
	const held = kept.held;
	if (!held || held.sessionId === sessionId) return;
	kept.held = undefined;
	held.release();
}
