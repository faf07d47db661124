import type { ExtensionContext, ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import type { TUI } from "@mariozechner/pi-tui";

/** The name of a widget that never shows anything. */
const PROBE = "session-suite:probe";

/** Returns the host's TUI; undefined without a terminal. The host passes its TUI only to widget factories, which RPC mode ignores. */
export function hostTui(ui: Pick<ExtensionUIContext, "setWidget">): TUI | undefined {
	let found: TUI | undefined;
	ui.setWidget(PROBE, (tui) => {
		found = tui;
		return { render: () => [], invalidate: () => undefined };
	});
	ui.setWidget(PROBE, undefined);
	return found;
}

/** Whether a person, not a program, sees the output. Hosts before 0.87 do not report their mode. */
export function isInTerminal(ctx: { ui: Pick<ExtensionContext["ui"], "setWidget"> }): boolean {
	const mode: unknown = Reflect.get(ctx, "mode");
	return typeof mode === "string" ? mode === "tui" : hostTui(ctx.ui) !== undefined;
}

interface FocusedEditor {
	handleInput?: (data: string) => void;
	/** Sends the text, or runs it if it is a command. The host sets this function. */
	onSubmit?: (text: string) => unknown;
	isShowingAutocomplete?: () => boolean;
}

/** Returns the prompt editor if it has the focus. Hosts before 0.87 have no method for that, so a field is read. */
export function focusedEditor(tui: TUI): FocusedEditor | undefined {
	const ask: unknown = Reflect.get(tui, "getFocusedComponent");
	const focused: unknown = typeof ask === "function" ? ask.call(tui) : Reflect.get(tui, "focusedComponent");
	const isEditor =
		typeof focused === "object" && focused !== null && "getText" in focused && "onSubmit" in focused;
	return isEditor ? (focused as FocusedEditor) : undefined;
}

/**
 * Runs a command as if the user had typed it, because the host lets only typed commands, not shortcut handlers, replace the session. The
 * editor keeps its text. Returns false if the command cannot be run here; the caller then asks the user to type it.
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
	// While the agent works, the host clears the editor immediately, so the draft is restored.
	if (ui.getEditorText() !== draft) ui.setEditorText(draft);
	return true;
}

type InputListener = (data: string) => { consume?: boolean; data?: string } | undefined;

/**
 * Whether the host paints on the alternate screen, with its own scrolling and mouse support (in pi 0.87.1: `--tui-mode fullscreen`, the
 * `tuiMode` setting or `/settings`). On the alternate screen, the host turns focus reports (DECSET 1004) on and off itself, needs them to
 * end a drag, and passes neither focus reports nor mouse reports to later listeners. Hosts without that mode have no `mode` field.
 */
export function isFullscreen(tui: object): boolean {
	return Reflect.get(tui, "mode") === "fullscreen";
}

/** Whether the host has given up the terminal, for example to an external editor. The TUI's types hide this field. */
export function hasStopped(tui: object): boolean {
	return Reflect.get(tui, "stopped") === true;
}

/** Returns the terminal's input function; undefined while the host has given up the terminal or if the field was renamed. */
export function hostInput({ terminal }: { terminal: object }): ((data: string) => void) | undefined {
	const handler: unknown = Reflect.get(terminal, "inputHandler");
	return typeof handler === "function" ? (data) => void handler.call(terminal, data) : undefined;
}

/** Moves a listener ahead of the host's own listeners. The host has no function for that, so its set of listeners is reordered. */
export function hearFirst(tui: object, listener: InputListener): void {
	const listeners: unknown = Reflect.get(tui, "inputListeners");
	if (!(listeners instanceof Set) || !listeners.has(listener)) return;
	const inOrder = [listener, ...listeners];
	listeners.clear();
	for (const it of inOrder) listeners.add(it);
}

/**
 * Reports when the host gives up the terminal and when it takes the terminal back. The host has no events for this, but always calls
 * `stop()` and `start()` of its terminal object, so both methods are wrapped; the returned function unwraps them. The terminal object is
 * wrapped rather than the TUI, because it remains the same object on all hosts. The TUI does not: pi 0.87.1 creates a new TUI when the user
 * switches to fullscreen and back, and hands out a proxy that cannot be unwrapped. `isOurs`: whether the host owns the terminal now.
 */
export function watchOwnership(
	terminal: Pick<TUI["terminal"], "start" | "stop">,
	/** `lost` is called before pi quits, suspends, or runs an external editor or another extension's program. */
	{ lost, gained }: { lost(): void; gained(): void },
	isOurs = true,
): () => void {
	const { start, stop } = terminal;
	let watching = true;
	let owned = isOurs;
	const wrappedStop = () => {
		// pi 0.87.1 calls `stop()` twice when it quits in fullscreen mode.
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
		// If another wrapper was added around this one, this wrapper stays in place and only passes calls on.
		if (terminal.stop === wrappedStop) terminal.stop = stop;
		if (terminal.start === wrappedStart) terminal.start = start;
	};
}
