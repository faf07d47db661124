import type { Theme } from "@mariozechner/pi-coding-agent";
import { type Component, type Focusable, Input } from "@mariozechner/pi-tui";
import type { Controller } from "./controller.ts";
import { type Bindings, keyNames, keyOf } from "./keys.ts";
import type { Paint } from "./spans.ts";
import type { TranscriptPane } from "./transcript-pane.ts";
import type { BoardKey } from "./types.ts";
import { boardLines, pageOf } from "./view.ts";

export interface ComponentDeps {
	bindings: Bindings;
	theme: Theme;
	/** Lines of the terminal, asked at each painting. */
	rows(): number;
	now(): number;
}

/** The board in the host's terminal: keystrokes in, lines out. The input line is the host's own, with all its editing keys. */
export class BoardComponent implements Component, Focusable {
	readonly #deps: ComponentDeps;
	readonly #input = new Input();
	readonly #paint: Paint;
	readonly #keys: Record<BoardKey, string>;
	#controller: Controller | undefined;
	#pane: TranscriptPane | undefined;

	constructor(deps: ComponentDeps) {
		this.#deps = deps;
		this.#paint = paintOf(deps.theme);
		this.#keys = keyNames(deps.bindings);
	}

	/** The board and its component need each other; the component is there first. */
	attach(controller: Controller): void {
		this.#controller = controller;
	}

	setInput(text: string): void {
		this.#input.setValue("");
		// As pasted, so that the cursor stands behind it, however the keys are bound.
		if (text !== "") this.#input.handleInput(`${PASTE_START}${text}${PASTE_END}`);
	}

	get focused(): boolean {
		return this.#input.focused;
	}

	set focused(value: boolean) {
		this.#input.focused = value;
	}

	/** Shows what was said last in a session, until the board shows something else. */
	openTranscript(pane: TranscriptPane): void {
		this.#pane?.close();
		this.#pane = pane;
	}

	handleInput(data: string): void {
		const controller = this.#controller;
		if (!controller) return;
		const key = keyOf(data, this.#deps.bindings);
		if (key && controller.board.mode.type === "transcript" && this.#pane?.scroll(key)) return;
		this.#handleKey(controller, data, key);
		if (controller.board.mode.type !== "transcript") this.#closePane();
	}

	#handleKey(controller: Controller, data: string, key: BoardKey | undefined): void {
		const { mode } = controller.board;
		if (mode.type === "rename") this.#handleRename(controller, data, key);
		else if (key === "delete" && mode.type === "list" && this.#hasEdited(data))
			controller.dispatch({ type: "typed", text: this.#input.getValue() });
		else if (key) controller.dispatch({ type: "key", key });
		else if (mode.type === "list") this.#edit(controller, data);
	}

	render(width: number): string[] {
		const controller = this.#controller;
		const height = this.#deps.rows();
		if (!controller) return [];
		const page = pageOf(width, height);
		if (controller.board.page !== page) controller.dispatch({ type: "resized", page });
		const input = this.#input.render(width)[0] ?? "";
		const transcript = (lines: number) => this.#pane?.lines(width, lines) ?? [];
		const view = { width, height, now: this.#deps.now(), input, keys: this.#keys, transcript };
		return boardLines(controller.board, view, this.#paint);
	}

	invalidate(): void {
		// Nothing is kept from one painting to the next.
	}

	dispose(): void {
		this.#closePane();
		this.#controller?.end();
	}

	/** Ctrl+D deletes forward in the filter line, too: only where it has nothing to delete is the session meant. */
	#hasEdited(data: string): boolean {
		const { bindings } = this.#deps;
		const before = this.#input.getValue();
		const isGentle = bindings.matches(data, "app.session.deleteNoninvasive");
		if (!isGentle && !bindings.matches(data, "tui.editor.deleteCharForward")) return false;
		this.#input.handleInput(data);
		return (isGentle && before !== "") || this.#input.getValue() !== before;
	}

	#closePane(): void {
		this.#pane?.close();
		this.#pane = undefined;
	}

	#handleRename(controller: Controller, data: string, key: BoardKey | undefined): void {
		if (key === "confirm") controller.dispatch({ type: "named", text: this.#input.getValue() });
		else if (key === "cancel") controller.dispatch({ type: "key", key });
		else this.#input.handleInput(data);
	}

	#edit(controller: Controller, data: string): void {
		this.#input.handleInput(data);
		controller.dispatch({ type: "typed", text: this.#input.getValue() });
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
