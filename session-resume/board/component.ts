import {
	type Component,
	type Focusable,
	Input,
	matchesKey,
	type Theme,
	type TUI,
} from "../../session-core/host/index.ts";
import { type PiecePainter, painterOf } from "../pieces.ts";
import type { Board } from "./board.ts";
import { type Bindings, type BoardKey, boardKeyOf, keyNames } from "./keys.ts";
import { inputText } from "./state.ts";
import { TranscriptPane } from "./transcript-pane.ts";
import { boardLines, listHeight } from "./view.ts";

interface ComponentDeps {
	tui: TUI;
	theme: Theme;
	bindings: Bindings;
	board: Board;
}

interface OpenTranscript {
	path: string;
	pane?: TranscriptPane;
}

/**
 * The board as a component of the host's terminal interface. It receives keystrokes and returns lines. The input line is the host's own
 * component, with all its editing keys.
 */
export class BoardComponent implements Component, Focusable {
	readonly #deps: ComponentDeps;
	readonly #input = new Input();
	readonly #paint: PiecePainter;
	readonly #keys: Record<BoardKey, string>;
	/** The text of the input line when the board last received it. */
	#text = "";
	#transcript: OpenTranscript | undefined;

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
		const { board, bindings } = this.#deps;
		const { type } = board.mode;
		const key = boardKeyOf(data, bindings) ?? this.#edgeOf(data);
		if (key && type === "transcript" && this.#transcript?.pane?.scroll(key)) return;
		if (type === "rename" && key !== "confirm" && key !== "cancel") this.#edit(data);
		else if (key === "delete" && type === "list" && this.#hasEdited(data)) this.#typed();
		else if (key) board.press(key);
		else if (type === "list") this.#edit(data);
		this.#follow();
	}

	render(width: number): string[] {
		const { board, tui } = this.#deps;
		const height = tui.terminal.rows;
		const page = listHeight(width, height);
		if (board.list.page !== page) board.resize(page);
		return boardLines(
			board,
			{
				width,
				height,
				now: Date.now(),
				input: this.#input.render(width)[0] ?? "",
				keys: this.#keys,
				transcript: (lines) => this.#transcript?.pane?.lines(width, lines) ?? [],
			},
			this.#paint,
		);
	}

	invalidate(): void {
		// There is nothing to do, because nothing is cached.
	}

	dispose(): void {
		this.#closeTranscript();
		this.#deps.board.end();
	}

	#follow(): void {
		const { board } = this.#deps;
		const text = inputText(board);
		if (text !== this.#text) {
			this.#text = text;
			this.#input.setValue("");
			// The text is inserted as a paste, so that the cursor ends up after it regardless of the key bindings.
			if (text !== "") this.#input.handleInput(`${PASTE_START}${text}${PASTE_END}`);
		}
		if (board.mode.type !== "transcript") this.#closeTranscript();
		else if (this.#transcript?.path !== board.mode.row.path) this.#openTranscript(board.mode.row.path);
	}

	#openTranscript(path: string): void {
		const { theme, tui } = this.#deps;
		this.#closeTranscript();
		const opened: OpenTranscript = { path };
		this.#transcript = opened;
		opened.pane = new TranscriptPane({ path, theme, changed: () => tui.requestRender() });
		tui.requestRender();
	}

	#closeTranscript(): void {
		this.#transcript?.pane?.close();
		this.#transcript = undefined;
	}

	/** Returns the end of the list that Home or End means, unless the key moves the cursor of the input line. */
	#edgeOf(data: string): "home" | "end" | undefined {
		const edge = (["home", "end"] as const).find((key) => matchesKey(data, key));
		if (!edge || this.#deps.board.mode.type === "rename") return undefined;
		const before = this.#input.render(WIDE)[0];
		this.#input.handleInput(data);
		return this.#input.render(WIDE)[0] === before ? edge : undefined;
	}

	/**
	 * Whether the input line handled the key. Ctrl+D also deletes the next character on the input line, so it deletes the session only if
	 * there is no next character.
	 */
	#hasEdited(data: string): boolean {
		const { bindings } = this.#deps;
		const before = this.#input.getValue();
		const isGentle = bindings.matches(data, "app.session.deleteNoninvasive");
		if (!isGentle && !bindings.matches(data, "tui.editor.deleteCharForward")) return false;
		this.#input.handleInput(data);
		return (isGentle && before !== "") || this.#input.getValue() !== before;
	}

	#edit(data: string): void {
		// The input line drops line breaks, which would join words.
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

/** The sequences that enclose a bracketed paste (xterm control sequences, mode 2004). */
const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";
