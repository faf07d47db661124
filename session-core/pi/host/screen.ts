import {
	copyToClipboard,
	type ExtensionContext,
	type ExtensionUIContext,
} from "@mariozechner/pi-coding-agent";
import { type Component, Text, truncateToWidth, visibleWidth } from "@mariozechner/pi-tui";
import { errorText } from "../../text/files/index.ts";
import { cleanLine, clipColumns, clippingBy } from "../../text/index.ts";
import { ownDialog } from "./host-events.ts";
import { onEscape } from "./prompt.ts";
import { hostTui } from "./tui.ts";

export interface Paint {
	accent(text: string): string;
	bold(text: string): string;
	dim(text: string): string;
}

/** Returns the lines of the widget. Without `paint`, the lines contain no escape sequences, because a program reads them. */
export type Painted = (paint: Paint | undefined) => string[];

type Ui = Pick<
	ExtensionUIContext,
	"setWidget" | "setStatus" | "notify" | "getEditorText" | "onTerminalInput" | "theme"
>;

export type Screen = ReturnType<typeof createScreen>;

/** Creates a screen. `key` identifies its widget and its status line, so each extension has its own. */
export function createScreen(ui: Ui, key: string) {
	let isShown = false;
	let stopListening: (() => void) | undefined;
	let hasTui: boolean | undefined;
	/** Whether the output is shown in a terminal. In RPC mode, the output goes to a program. */
	const isTerminal = () => {
		hasTui ??= hostTui(ui) !== undefined;
		return hasTui;
	};
	const theme = () => ui.theme;
	const paint: Paint = {
		accent: (text) => theme().fg("accent", text),
		bold: (text) => theme().bold(text),
		dim: (text) => theme().fg("dim", text),
	};
	return {
		isTerminal,
		/** Shows the widget. RPC clients receive plain strings, which they wrap themselves. */
		show(lines: Painted): void {
			isShown = true;
			if (isTerminal())
				ui.setWidget(key, ({ terminal }) => fitted(lines(paint), () => terminal.rows - OTHER_ROWS));
			else ui.setWidget(key, lines(undefined));
		},
		hide(): void {
			if (isShown) ui.setWidget(key, undefined);
			isShown = false;
		},
		/** Shows in the footer that a typed command is waiting for a model. Escape cancels the request. */
		asking(text: string, cancel: () => void): void {
			stopListening?.();
			stopListening = onEscape(ui, cancel);
			ui.setStatus(key, isTerminal() ? `${text} (esc to cancel)` : text);
		},
		answered(): void {
			if (!stopListening) return;
			stopListening();
			stopListening = undefined;
			ui.setStatus(key, undefined);
		},
		say: (text: string, kind: "info" | "warning" = "info") => ui.notify(text, kind),
		isTyped: () => ui.getEditorText().trim() !== "",
	};
}

/** Number of screen rows that a widget leaves free: 3 for the editor, 2 for the footer, 1 for the conversation, and 1 blank row. */
export const OTHER_ROWS = 7;

/** Wraps lines to the width of the terminal. If there are more lines than `rows`, the last line that fits ends with an ellipsis. */
function fitted(lines: readonly string[], rows: () => number): Component {
	const texts = lines.map((line) => new Text(line, 1, 0));
	return {
		render(width) {
			const all = texts.flatMap((text) => text.render(width));
			const shown = all.slice(0, Math.max(1, rows()));
			if (shown.length < all.length)
				shown.push(truncateToWidth(`${shown.pop()?.trimEnd()} …`, Math.max(1, width - 1), "…"));
			return shown;
		},
		invalidate: () => {
			for (const text of texts) text.invalidate();
		},
	};
}

/**
 * Starts an extension in print and JSON mode, runs a command and ends the extension. The command's answers go to stderr, because stdout is
 * reserved for the output of the run, and a failure sets the exit code to 1. Warnings that precede the command, for example about settings,
 * do not count as its failure. When the command has ended, the last state of each widget is printed.
 */
export async function printMode<Part extends { end(): void }>(
	hostCtx: ExtensionContext,
	start: (ctx: ExtensionContext) => Part,
	command: (part: Part) => Promise<void>,
): Promise<void> {
	const widgets = new Map<string, string[]>();
	let isRunning = false;
	const own: Partial<ExtensionUIContext> = {
		notify(text, kind = "info") {
			process.stderr.write(`${text}\n`);
			if (isRunning && kind !== "info") process.exitCode = 1;
		},
		setWidget(key: string, lines: unknown) {
			if (Array.isArray(lines)) widgets.set(key, lines.map(String));
			else widgets.delete(key);
		},
		getEditorText: () => "",
		setEditorText: () => undefined,
	};
	const ui: ExtensionUIContext = Object.assign(Object.create(hostCtx.ui), own);
	const part = start(Object.create(hostCtx, { ui: { value: ui, enumerable: true } }));
	isRunning = true;
	await command(part);
	for (const lines of widgets.values()) process.stderr.write(`${lines.join("\n")}\n`);
	part.end();
}

export interface Choice<Value> {
	label: string;
	value: Value;
}

/**
 * Lets the user choose a value. Resolves to undefined if the user chooses none. The dialog returns only a label, so duplicate labels are
 * numbered.
 */
export async function pickFrom<Value>(
	ui: Pick<ExtensionUIContext, "select">,
	question: string,
	choices: readonly Choice<Value>[],
	options: { signal?: AbortSignal } = {},
): Promise<Value | undefined> {
	const byLabel = new Map<string, Value>();
	for (const { label, value } of choices) {
		let free = label;
		for (let number = 2; byLabel.has(free); number++) free = `${label} (${number})`;
		byLabel.set(free, value);
	}
	const picked = await ownDialog(() => ui.select(question, [...byLabel.keys()], options));
	return picked === undefined ? undefined : byLabel.get(picked);
}

/** Copies text as the host's `/copy` does. Without a terminal, the clipboard of this process is not the user's. */
export async function copyAnswer(
	text: string,
	isTerminal: boolean,
): Promise<{ text: string; kind: "info" | "warning" }> {
	if (!isTerminal) return { text: "copying needs a terminal.", kind: "warning" };
	try {
		await copyToClipboard(text);
		return { text: "copied.", kind: "info" };
	} catch (error) {
		return { text: `not copied (${clipColumns(cleanLine(errorText(error)), 120)}).`, kind: "warning" };
	}
}

/** Measures widths with the host's own functions, because the host exits if a line is too wide according to these functions. */
export const hostColumns = clippingBy(visibleWidth);
