import {
	type Component,
	type ExtensionContext,
	type Focusable,
	Input,
	matchesKey,
	type Theme,
	type TUI,
} from "../../session-core/pi/index.ts";
import { type PiecePainter, painted, painterOf } from "../pieces.ts";
import { press } from "./actions.ts";
import { createActs } from "./acts.ts";
import { Board, type BoardStart, type Chosen, type Mode } from "./board.ts";
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

/** The input line is a pi component, so it supports all of pi's editing keys. */
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
	}

	get focused(): boolean {
		return this.#input.focused;
	}

	set focused(value: boolean) {
		this.#input.focused = value;
	}

	handleInput(data: string): void {
		const { board, bindings, tui } = this.#deps;
		this.#follow();
		const { type } = board.mode;
		const edge = (["home", "end"] as const).find((one) => matchesKey(data, one));
		const key = boardKeyOf(data, bindings) ?? edge;
		const isShared = type === "list" && key !== undefined && (key === edge || key === "delete");
		if ((type === "rename" || type === "answer") && key !== "confirm" && key !== "cancel") this.#edit(data);
		else if (isShared && this.#hasEdited(data)) this.#typed();
		else if (key && this.#pane?.scroll(key)) tui.requestRender();
		else if (key) press(board, key);
		else if (type === "list") this.#edit(data);
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
		const { board, theme, tui } = this.#deps;
		const { input: text, mode } = board;
		if (text !== this.#text) {
			this.#text = text;
			this.#input.setValue("");
			// A simulated paste leaves the cursor after the text, regardless of the user's key bindings.
			if (text !== "") this.#input.handleInput(`${PASTE_START}${text}${PASTE_END}`);
		}
		if (mode === this.#mode) return;
		this.#mode = mode;
		const help = (width: number) =>
			helpLines({ width, keys: this.#keys }).map((line) => painted(line, this.#paint));
		const changed = () => tui.requestRender();
		if (mode.type === "help") this.#pane = new Pane(help, { from: "start" });
		else if (mode.type === "transcript") this.#pane = transcriptPane(mode.row.path, theme, changed);
		else this.#pane = undefined;
	}

	/**
	 * Ctrl+D deletes the character after the cursor on the input line. If there is no such character,
	 * Ctrl+D deletes the session.
	 */
	#hasEdited(data: string): boolean {
		const before = this.#input.render(WIDE)[0];
		const isGentle = this.#deps.bindings.matches(data, "app.session.deleteNoninvasive");
		const isKept = isGentle && this.#input.getValue() !== "";
		this.#input.handleInput(data);
		return isKept || this.#input.render(WIDE)[0] !== before;
	}

	#edit(data: string): void {
		// Pasted line breaks become spaces, because the input line would remove them and join the words.
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

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";

interface BoardDeps {
	pi: Parameters<typeof createActs>[0];
	ctx: ExtensionContext;
}

/**
 * While pi is idle, the session board is drawn once without being shown. The code is then already
 * compiled, so the board later opens in less than half the time.
 */
export async function warmUp({ pi, ctx }: BoardDeps): Promise<void> {
	const start = { scope: "project", query: "", openPath: undefined, page: 40 } as const;
	const paint: PiecePainter = { style: (_, text) => text, chosen: (line) => painted(line, paint) };
	const board = await new Promise<Board>((resolve) => {
		const isReady = () => unseen.list.items.length > 0 || unseen.scan.project === "done";
		const changed = () => {
			if (isReady()) resolve(unseen);
		};
		const overlaps = async () => new Map();
		const unseen = new Board(start, { ...createActs(pi, ctx), overlaps, changed, close: changed });
		unseen.start();
	});
	try {
		const keys = keyNames({ matches: () => false, getKeys: () => [] });
		boardLines(board, { width: 100, height: 40, now: Date.now(), input: "", keys }, paint);
	} finally {
		board.end();
	}
}

const FULL_SCREEN = { width: "100%", maxHeight: "100%", anchor: "top-left" } as const;

export async function showBoard(
	start: BoardStart,
	{ pi, ctx, over }: BoardDeps & { over: AbortSignal },
): Promise<Chosen | undefined> {
	if (over.aborted) return undefined;
	const openPath = ctx.sessionManager.getSessionFile();
	return ctx.ui.custom<Chosen | undefined>(
		(tui, theme, bindings, done) => {
			const close = (chosen?: Chosen) => {
				over.removeEventListener("abort", end);
				done(chosen);
			};
			const end = () => close();
			over.addEventListener("abort", end);
			const ports = { ...createActs(pi, ctx), changed: () => tui.requestRender(), close };
			const board = new Board({ ...start, openPath, page: tui.terminal.rows }, ports);
			board.start();
			const interrupted = ports.offerRestore(board.list.live);
			if (interrupted !== undefined) board.notify(interrupted);
			return new BoardComponent({ tui, theme, bindings, board });
		},
		{ overlay: true, overlayOptions: FULL_SCREEN },
	);
}
