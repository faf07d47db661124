import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import {
	createScreen as createPlainScreen,
	type Screen as PlainScreen,
} from "../../session-core/host/screen.ts";
import type { CardView } from "./content.ts";
import { type CardKeys, cardLines, hintsOf, type Line, type Tone } from "./layout.ts";

const KEY = "session-resume";

/** What the extension can show: the card, a status in the footer, one-line answers, and text in the editor. */
export interface Screen extends Omit<PlainScreen, "show"> {
	show(view: CardView): void;
	/** Returns the editor's text. */
	typed(): string;
	/** Inserts text before the existing text in the editor. */
	fillEditor(text: string): void;
	/**
	 * Replaces `filled`, which the host inserted into the editor, with `text`, which the user had typed before. Text that the user has
	 * typed since then is kept after `text`.
	 */
	keepTyped(text: string, filled: string): void;
}

type Ui = Pick<
	ExtensionUIContext,
	"setWidget" | "setStatus" | "notify" | "getEditorText" | "setEditorText" | "onTerminalInput" | "theme"
>;

export function createScreen(ui: Ui, keys: CardKeys): Screen {
	const screen = createPlainScreen(ui, KEY);
	return {
		...screen,
		show(view) {
			// In RPC mode, the client receives plain lines and wraps them itself. In a terminal, this call only tells `hide` that a card is
			// shown.
			screen.show(() => (screen.isTerminal() ? [] : cardLines(view).map(plainText)));
			// The width of a terminal is known only when the card is painted.
			if (screen.isTerminal())
				ui.setWidget(KEY, ({ terminal }) =>
					cardComponent(
						{ ...view, hints: hintsOf(view, keys) },
						painter(ui),
						() => terminal.rows - OTHER_ROWS,
					),
				);
		},
		typed: () => ui.getEditorText(),
		fillEditor(text) {
			const typed = ui.getEditorText();
			ui.setEditorText(typed.trim() === "" ? text : `${text}\n\n${typed}`);
			// pi 0.73.1 shows the editor's new text only in the next frame, so a frame is requested here.
			if (screen.isTerminal()) ui.setStatus(`${KEY}:editor`, undefined);
		},
		keepTyped(text, filled) {
			const now = ui.getEditorText();
			const since = now.startsWith(filled) ? now.slice(filled.length) : now;
			// In RPC mode, the editor's text always reads as empty, and writing the empty text back would clear the client's editor.
			if (text + since !== now) ui.setEditorText(text + since);
		},
	};
}

type Paint = (tone: Tone, text: string) => string;

function painter({ theme }: Pick<Ui, "theme">): Paint {
	return (tone, text) => {
		switch (tone) {
			case "glyph":
			case "label":
				return theme.fg("accent", theme.bold(text));
			case "headline":
				return theme.bold(text);
			case "next":
			case "plain":
				return text;
			default:
				return theme.fg(tone, text);
		}
	};
}

/** Width of the margin on each side, in columns. The host's own widgets have the same margin. */
const MARGIN = 1;

/** Number of rows of a terminal that the editor, the footer and the last row of the conversation take. */
const OTHER_ROWS = 6;

/** Returns a component that renders the card for the current size of the terminal. */
export function cardComponent(view: CardView, paint: Paint, rows: () => number) {
	return {
		render(width: number): string[] {
			const lines = cardLines(view, { columns: Math.max(1, width - 2 * MARGIN), rows: rows() });
			return lines.map((line) => " ".repeat(Math.min(MARGIN, width - 1)) + painted(line, paint));
		},
		invalidate: () => undefined,
	};
}

function painted(line: Line, paint: Paint): string {
	return line.map(({ tone, text }) => paint(tone, text)).join("");
}

function plainText(line: Line): string {
	return line.map(({ text }) => text).join("");
}
