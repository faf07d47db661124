import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { matchesKey } from "@mariozechner/pi-tui";
import { focusedEditor, hostTui } from "./tui.ts";

/** What we do at the host's prompt in the user's place. */

/**
 * Runs a command as if it had been typed: the host lets only a typed command replace the session, not the handler of a shortcut. The
 * editor keeps its text. False: it cannot be run here, and the caller tells the user to type it.
 */
export function submitCommand(
	ui: Pick<ExtensionUIContext, "setWidget" | "getEditorText" | "setEditorText">,
	command: string,
): boolean {
	const tui = hostTui(ui, "session-suite:submit");
	const editor = tui && focusedEditor(tui);
	if (!editor?.onSubmit) return false;
	const draft = ui.getEditorText();
	editor.onSubmit(command);
	// While the agent works the host empties the editor at once.
	if (ui.getEditorText() !== draft) ui.setEditorText(draft);
	return true;
}

/**
 * Listen for Escape at the prompt until the returned function is called. The key is kept from the host only then: a dialog or
 * an open list of completions gets it as always.
 */
export function onEscape(
	ui: Pick<ExtensionUIContext, "setWidget" | "onTerminalInput">,
	key: string,
	pressed: () => void,
): () => void {
	const tui = hostTui(ui, key);
	if (!tui) return () => undefined;
	return ui.onTerminalInput((data) => {
		if (!matchesKey(data, "escape")) return undefined;
		const editor = focusedEditor(tui);
		if (!editor || editor.isShowingAutocomplete?.()) return undefined;
		pressed();
		return { consume: true };
	});
}

/**
 * What is typed at the prompt waits while a question is answered that replaces the session: a person types on after Enter, and the
 * host would send those words to the session that they have just left, or lose them.
 */
export interface HeldPrompt {
	/** The session stays: what was typed goes to its prompt. */
	release(): void;
	/**
	 * Runs a command that replaces the session or ends pi. What was typed goes to the session that comes up (`promptIsReady`). If none
	 * does within 5 seconds, the text without its Enters goes back to the prompt, and `failed` is called. False: nothing can be run
	 * here; the prompt is released.
	 */
	run(command: string, failed: () => void): boolean;
}

type Ui = Pick<ExtensionUIContext, "setWidget" | "getEditorText" | "setEditorText">;

const DEADLINE_MS = 5_000;
/** The host loads every instance of the extension anew, so the next one finds this on the global object. */
const HELD = Symbol.for("pi-session-suite:held-prompt");
const shared = globalThis as { [HELD]?: (() => void) | undefined };

/** Holds the prompt from now on. Dialogs get their keys; so do the host's own, all but text, Enter and Backspace. */
export function holdPrompt(ui: Ui): HeldPrompt {
	const tui = hostTui(ui, "session-suite:hold");
	const keys: string[] = [];
	// Not the host's `onTerminalInput`: that ends with the session, and typing goes on while the next one is made.
	const stop = tui?.addInputListener((data) => {
		if (!isText(data) || !focusedEditor(tui)) return undefined;
		keys.push(data);
		return { consume: true };
	});
	const give = (wanted: (key: string) => boolean) => {
		stop?.();
		for (const key of keys.splice(0)) if (wanted(key) && tui) focusedEditor(tui)?.handleInput?.(key);
		tui?.requestRender();
	};
	const release = () => give(() => true);
	return {
		release,
		run(command, failed) {
			if (ui.getEditorText().trim() !== "" || !submitCommand(ui, command)) {
				release();
				return false;
			}
			const late = setTimeout(() => {
				shared[HELD] = undefined;
				give((key) => key !== "\r" && key !== "\n");
				failed();
			}, DEADLINE_MS).unref();
			shared[HELD] = () => {
				clearTimeout(late);
				release();
			};
			return true;
		},
	};
}

/** A session has come up: what was typed on the way to it goes to its prompt. */
export function promptIsReady(): void {
	const give = shared[HELD];
	shared[HELD] = undefined;
	give?.();
}

/** Text, Enter, Backspace and pastes; reports of the terminal and other keys start with another escape sequence. */
function isText(data: string): boolean {
	return !data.startsWith("\x1b") || data.startsWith("\x1b[200~");
}
