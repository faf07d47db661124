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

type Ui = Pick<ExtensionUIContext, "setWidget" | "getEditorText" | "setEditorText">;

const DEADLINE_MS = 5_000;

interface HandedOver {
	sessionId: string;
	release(): void;
}

/** The held input is kept outside this module, because the next session has its own copy of the module. */
const kept = inProcess("prompt", (): { held?: HandedOver | undefined } => ({}));

/**
 * Holds back what is typed at the prompt (text, Enter, Backspace and pastes) while a dialog decides whether the session is replaced. Users
 * continue to type after pressing Enter. If their text were not held back, the host would send it to the session that they are leaving, or
 * lose it. Dialogs still receive their keys, and the host receives all other keys.
 */
export function holdPrompt(ui: Ui, sessionId: string) {
	const tui = hostTui(ui);
	const keys: string[] = [];
	// A listener added through the host's `onTerminalInput` would end with the session, but the user continues to type while the next
	// session opens.
	const stop = tui?.addInputListener((data) => {
		if (!isText(data) || !focusedEditor(tui)) return undefined;
		keys.push(data);
		return { consume: true };
	});
	const replay = (typed: readonly string[]) => {
		stop?.();
		keys.length = 0;
		for (const key of typed) if (tui) focusedEditor(tui)?.handleInput?.(key);
		tui?.requestRender();
	};
	const release = () => replay([...keys]);
	const returnText = () => replay(keys.filter((key) => key !== "\r" && key !== "\n"));
	/**
	 * Announces that the host is about to replace the session. The held input and everything typed from now on go to the prompt of the next
	 * session (`promptIsReady`). If no session opens within 5 seconds, the text returns to this prompt without its Enter keys, so that
	 * nothing is sent, and `failed` is called.
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
		 * in that case, the held text returns to the prompt without its Enter keys.
		 */
		run(command: string, failed: () => void): boolean {
			if (ui.getEditorText().trim() !== "" || !submitCommand(ui, command)) {
				returnText();
				return false;
			}
			handOver(failed);
			return true;
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

/**
 * Whether input is typed or pasted text. Terminal reports and other keys begin with an escape sequence other than the one that starts a
 * paste.
 */
function isText(data: string): boolean {
	return !data.startsWith("\x1b") || data.startsWith("\x1b[200~");
}
