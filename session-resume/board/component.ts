import type { Theme } from "@mariozechner/pi-coding-agent";
import { type Component, type Focusable, Input } from "@mariozechner/pi-tui";
import { inputText } from "./board.ts";
import type { Controller } from "./controller.ts";
import { type Bindings, keyNames, keyOf } from "./keys.ts";
import { resized } from "./list.ts";
import type { BoardKey } from "./press.ts";
import type { Row } from "./row.ts";
import type { Paint } from "./spans.ts";
import type { TranscriptPane } from "./transcript.ts";
import { boardLines, pageOf } from "./view.ts";

export interface ComponentPorts {
	bindings: Bindings;
	theme: Theme;
	/** Lines of the terminal, read at each painting. */
	rows(): number;
	now(): number;
	openTranscript(row: Row): Promise<TranscriptPane>;
	/** The screen is out of date. */
	changed(): void;
}

/** The board in the host's terminal: keystrokes in, lines out. The input line is the host's own, with all its editing keys. */
export class BoardComponent implements Component, Focusable {
	readonly #ports: ComponentPorts;
	readonly #input = new Input();
	readonly #paint: Paint;
	readonly #keys: Record<BoardKey, string>;
	#controller: Controller | undefined;
	/** What the board knows of the input line. */
	#text = "";
	#transcript: { row: Row; pane?: TranscriptPane } | undefined;

	constructor(ports: ComponentPorts) {
		this.#ports = ports;
		this.#paint = paintOf(ports.theme);
		this.#keys = keyNames(ports.bindings);
	}

	/** The board and its component need each other; the component comes first. */
	attach(controller: Controller): void {
		this.#controller = controller;
		this.#follow();
	}

	get focused(): boolean {
		return this.#input.focused;
	}

	set focused(value: boolean) {
		this.#input.focused = value;
	}

	handleInput(data: string): void {
		const controller = this.#controller;
		if (!controller) return;
		const { mode } = controller.board;
		const key = keyOf(data, this.#ports.bindings);
		const isRename = mode.type === "rename";
		if (key && mode.type === "transcript" && this.#transcript?.pane?.scroll(key)) return;
		if (isRename && key !== "confirm" && key !== "cancel") this.#edit(controller, data);
		else if (key === "delete" && mode.type === "list" && this.#hasEdited(data)) this.#typed(controller);
		else if (key) controller.press(key);
		else if (mode.type === "list") this.#edit(controller, data);
		this.#follow();
	}

	render(width: number): string[] {
		const controller = this.#controller;
		if (!controller) return [];
		const height = this.#ports.rows();
		const page = pageOf(width, height);
		if (controller.board.list.page !== page) controller.resize(resized(controller.board.list, page));
		return boardLines(
			controller.board,
			{
				width,
				height,
				now: this.#ports.now(),
				input: this.#input.render(width)[0] ?? "",
				keys: this.#keys,
				transcript: (lines) => this.#transcript?.pane?.lines(width, lines) ?? [],
			},
			this.#paint,
		);
	}

	invalidate(): void {
		// Nothing is kept from one painting to the next.
	}

	dispose(): void {
		this.#closeTranscript();
		this.#controller?.end();
	}

	/** The input line and the transcript follow the board's state. */
	#follow(): void {
		const board = this.#controller?.board;
		if (!board) return;
		const text = inputText(board);
		if (text !== this.#text) {
			this.#text = text;
			this.#input.setValue("");
			// As if pasted, so that the cursor is behind it, however the keys are bound.
			if (text !== "") this.#input.handleInput(`${PASTE_START}${text}${PASTE_END}`);
		}
		if (board.mode.type !== "transcript") this.#closeTranscript();
		else if (this.#transcript?.row.path !== board.mode.row.path) this.#openTranscript(board.mode.row);
	}

	#openTranscript(row: Row): void {
		this.#closeTranscript();
		const opened: { row: Row; pane?: TranscriptPane } = { row };
		this.#transcript = opened;
		void this.#ports.openTranscript(row).then((pane) => {
			opened.pane = pane;
			// Closed while it was loaded.
			if (this.#transcript !== opened) pane.close();
			this.#ports.changed();
		});
	}

	#closeTranscript(): void {
		this.#transcript?.pane?.close();
		this.#transcript = undefined;
	}

	/** Ctrl+D also deletes forward in the input line: it means the session only if there is nothing to delete. */
	#hasEdited(data: string): boolean {
		const { bindings } = this.#ports;
		const before = this.#input.getValue();
		const isGentle = bindings.matches(data, "app.session.deleteNoninvasive");
		if (!isGentle && !bindings.matches(data, "tui.editor.deleteCharForward")) return false;
		this.#input.handleInput(data);
		return (isGentle && before !== "") || this.#input.getValue() !== before;
	}

	#edit(controller: Controller, data: string): void {
		this.#input.handleInput(data);
		this.#typed(controller);
	}

	#typed(controller: Controller): void {
		this.#text = this.#input.getValue();
		controller.type(this.#text);
	}
}

/** Bracketed paste (xterm control sequences, mode 2004). */
const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";

function paintOf(theme: Theme): Paint {
	return {
		style(style, text) {
			switch (style) {
				case "plain":
					return text;
				case "strong":
					return theme.bold(text);
				default:
					return theme.fg(style, text);
			}
		},
		chosen: (text) => theme.bg("selectedBg", text),
	};
}
