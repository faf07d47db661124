import {
	type Component,
	type Focusable,
	Input,
	matchesKey,
	type Theme,
	type TUI,
} from "../../session-core/pi/index.ts";
import { type PiecePainter, painted, painterOf } from "../pieces.ts";
import { press } from "./actions.ts";
import type { Board, Mode } from "./board.ts";
import { helpLines } from "./help.ts";
import { type Bindings, type BoardKey, boardKeyOf, keyNames } from "./keys.ts";
import { Pane, transcriptPane } from "./pane.ts";
import { boardLines, listHeight } from "./view.ts";

interface ComponentDeps {
	tui: TUI;
	theme: Theme;
	bindings: Bindings;
	board: Board;
}

/** The input line is the host's own component, so all of its editing keys work. */
export class BoardComponent implements Component, Focusable {
	readonly #deps: ComponentDeps;
	readonly #input = new Input();
	readonly #paint: PiecePainter;
	readonly #keys: Record<BoardKey, string>;
	#text = "";
	#mode: Mode | undefined;
	#pane: Pane | undefined;

	constructor(deps: ComponentDeps) {
		this.#deps = deps;
		this.#paint = painterOf(deps.theme);
		this.#keys = keyNames(deps.bindings);
		this.#follow();
	}

	get focused(): boolean {
		return this.#input.focused;
	}

	set focused(value: boolean) {
		this.#input.focused = value;
	}

	handleInput(data: string): void {
		const { board, bindings, tui } = this.#deps;
		const { type } = board.mode;
		const edge = (["home", "end"] as const).find((one) => matchesKey(data, one));
		const key = boardKeyOf(data, bindings) ?? edge;
		const isShared = type === "list" && key !== undefined && (key === edge || key === "delete");
		if ((type === "rename" || type === "answer") && key !== "confirm" && key !== "cancel") this.#edit(data);
		else if (isShared && this.#hasEdited(data)) this.#typed();
		else if (key && this.#pane?.scroll(key)) tui.requestRender();
		else if (key) press(board, key);
		else if (type === "list") this.#edit(data);
		this.#follow();
	}

	render(width: number): string[] {
		const { board, tui } = this.#deps;
		const height = tui.terminal.rows;
		this.#follow();
		board.list.resize(listHeight(width, height));
		const view = {
			width,
			height,
			now: Date.now(),
			input: this.#input.render(width)[0] ?? "",
			keys: this.#keys,
			pane: (lines: number) => this.#pane?.lines(width, lines) ?? [],
		};
		return boardLines(board, view, this.#paint);
	}

	invalidate(): void {
		// Nothing is cached.
	}

	dispose(): void {
		this.#deps.board.end();
	}

	#follow(): void {
		const { board, theme } = this.#deps;
		const { input: text, mode } = board;
		if (text !== this.#text) {
			this.#text = text;
			this.#input.setValue("");
			// The text is inserted as a paste, so the cursor ends up after the text regardless of the user's key bindings.
			if (text !== "") this.#input.handleInput(`${PASTE_START}${text}${PASTE_END}`);
		}
		if (mode === this.#mode) return;
		this.#mode = mode;
		const help = (width: number) =>
			helpLines({ width, keys: this.#keys }).map((line) => painted(line, this.#paint));
		if (mode.type === "help") this.#pane = new Pane(help, { from: "start" });
		else this.#pane = mode.type === "transcript" ? transcriptPane(mode.row.path, theme) : undefined;
	}

	/** Ctrl+D deletes a character on the input line if there is one after the cursor. Otherwise, it deletes the session. */
	#hasEdited(data: string): boolean {
		const before = this.#input.render(WIDE)[0];
		const isGentle = this.#deps.bindings.matches(data, "app.session.deleteNoninvasive");
		const isKept = isGentle && this.#input.getValue() !== "";
		this.#input.handleInput(data);
		return isKept || this.#input.render(WIDE)[0] !== before;
	}

	#edit(data: string): void {
		// The input line drops line breaks, so pasted words on separate lines would be joined.
		const isPaste = data.startsWith(PASTE_START);
		this.#input.handleInput(isPaste ? data.replace(/\s*[\r\n]\s*(?!\x1b|$)/g, " ") : data);
		this.#typed();
	}

	#typed(): void {
		this.#text = this.#input.getValue();
		this.#deps.board.type(this.#text);
	}
}

const WIDE = 10_000;

/** In a terminal, a bracketed paste begins and ends with a control sequence (xterm mode 2004). */
const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";
