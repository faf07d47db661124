import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import {
	createScreen as createPlainScreen,
	type Screen as PlainScreen,
} from "../../session-core/host/screen.ts";
import { type CardKeys, cardLines, hintsOf, type Line, type Tone } from "./lines.ts";
import type { CardView } from "./view.ts";

const KEY = "session-resume";

/** The output of the extension: the card, one footer status, one-line answers, and text in the editor. */
export interface Screen extends Omit<PlainScreen, "show"> {
	show(view: CardView): void;
	/** Returns the editor's text. */
	typed(): string;
	/** Puts text in front of the editor's text. */
	fillEditor(text: string): void;
	/** Replaces `filled`, which the host inserted, by earlier typed text, followed by text that was typed since. */
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
			// Programs get plain lines and wrap them themselves. The lines also show `hide` that there is a card.
			screen.show(() => (screen.isTerminal() ? [] : cardLines(view).map(plainText)));
			// A terminal's width is known only when it is painted.
			if (screen.isTerminal())
				ui.setWidget(KEY, () => cardComponent({ ...view, hints: hintsOf(view, keys) }, painter(ui)));
		},
		typed: () => ui.getEditorText(),
		fillEditor(text) {
			const typed = ui.getEditorText();
			ui.setEditorText(typed.trim() === "" ? text : `${text}\n\n${typed}`);
			// 0.73.1 paints the editor's new text only with the next frame that something else requests.
			if (screen.isTerminal()) ui.setStatus(`${KEY}:editor`, undefined);
		},
		keepTyped(text, filled) {
			const now = ui.getEditorText();
			const since = now.startsWith(filled) ? now.slice(filled.length) : now;
			// A program's editor must not be emptied.
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
				return text;
			case "dim":
				return theme.fg("dim", text);
		}
	};
}

/** The margin on either side, in columns; the host's own widgets have the same. */
const MARGIN = 1;

/** Paints the card for the current width of the terminal. */
export function cardComponent(view: CardView, paint: Paint) {
	return {
		render(width: number): string[] {
			const lines = cardLines(view, Math.max(1, width - 2 * MARGIN));
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
