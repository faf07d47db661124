import {
	copyToClipboard,
	type ExtensionContext,
	type ExtensionUIContext,
} from "@mariozechner/pi-coding-agent";
import { type Component, Text, truncateToWidth, visibleWidth } from "@mariozechner/pi-tui";
import { cleanLine, clipColumns, clippingBy, errorText } from "../../text/index.ts";
import { ownDialog } from "./host-events.ts";
import { hostTui, onEscape } from "./tui.ts";

export interface Paint {
	accent(text: string): string;
	bold(text: string): string;
	dim(text: string): string;
}

/** If `paint` is undefined, a program reads the lines, so the lines contain no escape sequences. */
export type Painted = (paint: Paint | undefined) => string[];

type Ui = Pick<
	ExtensionUIContext,
	"setWidget" | "setStatus" | "notify" | "getEditorText" | "onTerminalInput" | "theme"
>;

export type Screen = ReturnType<typeof createScreen>;

export function createScreen(ui: Ui, key: string) {
	let isShown = false;
	let stopListening: (() => void) | undefined;
	let hasTui: boolean | undefined;
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
		/** RPC clients receive plain strings and wrap the lines themselves. */
		show(lines: Painted, draw = (rows: () => number): Component => fitted(lines(paint), rows)): void {
			isShown = true;
			if (isTerminal()) ui.setWidget(key, ({ terminal }) => draw(() => terminal.rows - OTHER_ROWS));
			else ui.setWidget(key, lines(undefined));
		},
		hide(): void {
			if (isShown) ui.setWidget(key, undefined);
			isShown = false;
		},
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

/**
 * The number of terminal rows that a widget must not use: 3 for the editor, 2 for the footer, 1 for the
 * conversation, and 1 blank row.
 */
const OTHER_ROWS = 7;

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
 * In print mode, messages go to stderr, because stdout is reserved for the run's output. A failed command
 * sets the exit code to 1.
 */
export async function printMode<Part extends { end(how: "closed"): void }>(
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
	part.end("closed");
}

export interface Choice<Value> {
	label: string;
	value: Value;
}

/**
 * Resolves to undefined if the user cancels the dialog. Duplicate labels are numbered, because pi's
 * dialog returns only the selected label.
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

/**
 * Without a terminal, nothing is copied to the clipboard, because the user may be working on another
 * machine.
 */
export async function copyToUser(
	text: string,
	isTerminal: boolean,
): Promise<{ text: string; kind: "info" | "warning" }> {
	if (!isTerminal) return { text: "cannot copy without a terminal.", kind: "warning" };
	try {
		await copyToClipboard(text);
		return { text: "copied.", kind: "info" };
	} catch (error) {
		return { text: `could not copy (${clipColumns(cleanLine(errorText(error)), 120)}).`, kind: "warning" };
	}
}

/**
 * Measures the width of text with pi's own functions, because pi exits if it considers a line too
 * wide.
 */
export const hostColumns = clippingBy(visibleWidth);
