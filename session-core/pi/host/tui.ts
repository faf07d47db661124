import type { ExtensionContext, ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import type { TUI } from "@mariozechner/pi-tui";

/** A widget with this name is registered only to obtain the host's TUI. The widget never shows anything. */
const PROBE = "session-suite:probe";

/** Returns the host's TUI, or undefined without a terminal. The host passes its TUI only to widget factories, which RPC mode ignores. */
export function hostTui(ui: Pick<ExtensionUIContext, "setWidget">): TUI | undefined {
	let found: TUI | undefined;
	ui.setWidget(PROBE, (tui) => {
		found = tui;
		return { render: () => [], invalidate: () => undefined };
	});
	ui.setWidget(PROBE, undefined);
	return found;
}

/** Whether a person, rather than a program, sees the output. Hosts before 0.87 do not report their mode, so the TUI is used. */
export function isInTerminal(ctx: { ui: Pick<ExtensionContext["ui"], "setWidget"> }): boolean {
	const mode: unknown = Reflect.get(ctx, "mode");
	return typeof mode === "string" ? mode === "tui" : hostTui(ctx.ui) !== undefined;
}

interface FocusedEditor {
	handleInput?: (data: string) => void;
	/** The host sets this function, which sends the text or, if the text is a command, runs the command. */
	onSubmit?: (text: string) => unknown;
	isShowingAutocomplete?: () => boolean;
}

/** Returns the prompt editor if it has the focus. Hosts before 0.87 have no method for this, so a field of the TUI is read. */
export function focusedEditor(tui: TUI): FocusedEditor | undefined {
	const ask: unknown = Reflect.get(tui, "getFocusedComponent");
	const focused: unknown = typeof ask === "function" ? ask.call(tui) : Reflect.get(tui, "focusedComponent");
	const isEditor =
		typeof focused === "object" && focused !== null && "getText" in focused && "onSubmit" in focused;
	return isEditor ? (focused as FocusedEditor) : undefined;
}

/**
 * Runs a command as if the user had typed it. This is necessary because the host lets typed commands replace the session, but not shortcut
 * handlers. The user's draft remains in the editor. Returns false if the command cannot be run; the caller then asks the user to type it.
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
	// While the agent is working, the host clears the editor immediately, so the user's draft is restored here.
	if (ui.getEditorText() !== draft) ui.setEditorText(draft);
	return true;
}

type InputListener = (data: string) => { consume?: boolean; data?: string } | undefined;

/**
 * Whether the host paints on the alternate screen, with its own scrolling and mouse support (in pi 0.87.1: `--tui-mode fullscreen`, the
 * `tuiMode` setting or `/settings`). In this mode, the host turns focus reports (DECSET 1004) on and off itself, needs them to end a drag,
 * and passes neither focus reports nor mouse reports to listeners that were added later. Hosts without this mode have no `mode` field.
 */
export function isFullscreen(tui: object): boolean {
	return Reflect.get(tui, "mode") === "fullscreen";
}

/** Whether the host has given up the terminal, for example to an external editor. The TUI's type does not declare the `stopped` field. */
export function hasStopped(tui: object): boolean {
	return Reflect.get(tui, "stopped") === true;
}

/** Returns the terminal's input function, or undefined if the host has given up the terminal or a host version has renamed the field. */
export function hostInput({ terminal }: { terminal: object }): ((data: string) => void) | undefined {
	const handler: unknown = Reflect.get(terminal, "inputHandler");
	return typeof handler === "function" ? (data) => void handler.call(terminal, data) : undefined;
}

/** Moves a listener to the front of the host's listeners. The host has no function for this, so its set of listeners is reordered. */
export function hearFirst(tui: object, listener: InputListener): void {
	const listeners: unknown = Reflect.get(tui, "inputListeners");
	if (!(listeners instanceof Set) || !listeners.has(listener)) return;
	const inOrder = [listener, ...listeners];
	listeners.clear();
	for (const it of inOrder) listeners.add(it);
}

/**
 * Reports when the host gives up the terminal and when it takes the terminal back. The host has no events for this, but always calls
 * `stop()` and `start()` of its terminal object. Both methods are wrapped, and the returned function removes the wrappers. The TUI itself
 * is not wrapped, because pi 0.87.1 creates a new TUI when the user switches to fullscreen and back, and hands out a proxy on which a
 * wrapper cannot be removed. The terminal object stays the same on all hosts. `isOurs` is true if the host owns the terminal now.
 */
export function watchOwnership(
	terminal: Pick<TUI["terminal"], "start" | "stop">,
	/** `lost` is called before pi quits, suspends, or starts a program that needs the terminal, such as an external editor. */
	{ lost, gained }: { lost(): void; gained(): void },
	isOurs = true,
): () => void {
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
		// If another package has added its own wrapper around this one, this wrapper stays in place and only forwards calls.
		if (terminal.stop === wrappedStop) terminal.stop = stop;
		if (terminal.start === wrappedStart) terminal.start = start;
	};
}
