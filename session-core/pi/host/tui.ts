import type { ExtensionContext, ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { matchesKey, type TUI } from "@mariozechner/pi-tui";
import { startTimer } from "../../text/index.ts";
import { inProcess } from "./start-work.ts";

/** pi passes its TUI object only to widgets, so an invisible widget with this name is created. */
const PROBE = "session-suite:probe";

export function hostTui(ui: Pick<ExtensionUIContext, "setWidget">): TUI | undefined {
	let found: TUI | undefined;
	ui.setWidget(PROBE, (tui) => {
		found = tui;
		return { render: () => [], invalidate: () => undefined };
	});
	ui.setWidget(PROBE, undefined);
	return found;
}

/** pi versions before 0.87 do not report their mode, so this function checks whether pi has a TUI. */
export function isInTerminal(ctx: { ui: Pick<ExtensionContext["ui"], "setWidget"> }): boolean {
	const mode: unknown = Reflect.get(ctx, "mode");
	return typeof mode === "string" ? mode === "tui" : hostTui(ctx.ui) !== undefined;
}

interface FocusedEditor {
	handleInput?: (data: string) => void;
	onSubmit?: (text: string) => unknown;
	isShowingAutocomplete?: () => boolean;
}

/**
 * pi versions before 0.87 have no method that returns the focused component, so a private field is
 * read.
 */
export function focusedEditor(tui: TUI): FocusedEditor | undefined {
	const ask: unknown = Reflect.get(tui, "getFocusedComponent");
	const focused: unknown = typeof ask === "function" ? ask.call(tui) : Reflect.get(tui, "focusedComponent");
	const isEditor =
		typeof focused === "object" && focused !== null && "getText" in focused && "onSubmit" in focused;
	return isEditor ? (focused as FocusedEditor) : undefined;
}

/**
 * Runs a command as if the user had typed it, because pi does not let shortcut handlers replace the
 * session. Returns false if the command cannot be run.
 */
export function submitCommand(
	ui: Pick<ExtensionUIContext, "setWidget" | "getEditorText" | "setEditorText">,
	command: string,
): boolean {
	const tui = hostTui(ui);
	const editor = tui && focusedEditor(tui);
	if (!editor?.onSubmit) return false;
	const draft = ui.getEditorText();
	editor.onSubmit(command);
	// While the agent is working, pi clears the editor on submit, so this function restores the user's draft.
	if (ui.getEditorText() !== draft) ui.setEditorText(draft);
	return true;
}

type InputListener = (data: string) => { consume?: boolean; data?: string } | undefined;

/**
 * In fullscreen mode, pi itself requests focus reports (DECSET 1004) and hides them from input listeners
 * that were added after pi's own listener.
 */
export function isFullscreen(tui: object): boolean {
	return Reflect.get(tui, "mode") === "fullscreen";
}

/** Returns true while pi has released the terminal, for example to an external editor. */
export function hasStopped(tui: object): boolean {
	return Reflect.get(tui, "stopped") === true;
}

export function hostInput({ terminal }: { terminal: object }): ((data: string) => void) | undefined {
	const handler: unknown = Reflect.get(terminal, "inputHandler");
	return typeof handler === "function" ? (data) => void handler.call(terminal, data) : undefined;
}

/**
 * pi has no function that moves an input listener to the front, so this function reorders a private set in
 * the TUI object.
 */
export function hearFirst(tui: object, listener: InputListener): void {
	const listeners: unknown = Reflect.get(tui, "inputListeners");
	if (!(listeners instanceof Set) || !listeners.has(listener)) return;
	const inOrder = [listener, ...listeners];
	listeners.clear();
	for (const it of inOrder) listeners.add(it);
}

/**
 * pi emits no event when it releases or reclaims the terminal, so this function wraps the terminal
 * object's `stop()` and `start()` methods. Returns a function that removes the wrappers.
 */
export function watchOwnership(
	terminal: Pick<TUI["terminal"], "start" | "stop">,
	/**
	 * `lost` is called before pi quits, suspends, or starts a program that needs the terminal, such as an
	 * external editor.
	 */
	{ lost, gained }: { lost(): void; gained(): void },
	isOurs = true,
): () => void {
	// pi 0.87.1 replaces its TUI object in fullscreen mode, so the terminal object is wrapped instead.
	const { start, stop } = terminal;
	let watching = true;
	let owned = isOurs;
	const wrappedStop = () => {
		// When pi 0.87.1 quits in fullscreen mode, it calls `stop()` twice.
		if (watching && owned) lost();
		owned = false;
		stop.call(terminal);
	};
	const wrappedStart: typeof start = (onInput, onResize) => {
		start.call(terminal, onInput, onResize);
		if (watching && !owned) gained();
		owned = true;
	};
	terminal.stop = wrappedStop;
	terminal.start = wrappedStart;
	return () => {
		watching = false;
		// If another package has also wrapped `stop()` or `start()`, this package's wrapper must stay installed.
		if (terminal.stop === wrappedStop) terminal.stop = stop;
		if (terminal.start === wrappedStart) terminal.start = start;
	};
}

/**
 * Handles the Escape key at the prompt. While a dialog or completion list is open, pi handles the key
 * instead.
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

/**
 * If no session opens within this many milliseconds, the held keystrokes are returned to the prompt.
 */
const DEADLINE_MS = 5_000;

/**
 * The held keystrokes are stored globally, because the next session loads its own copy of this module.
 */
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
	// pi removes `onTerminalInput` listeners when a session ends, so the TUI's own listener method is used.
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
		run(command: string, failed: () => void): boolean {
			const isRun = ui.getEditorText().trim() === "" && submitCommand(ui, command);
			if (isRun) handOver(failed);
			else returnText();
			return isRun;
		},
	};
}

export function promptIsReady(sessionId: string): void {
	const held = kept.held;
	if (!held || held.sessionId === sessionId) return;
	kept.held = undefined;
	held.release();
}
