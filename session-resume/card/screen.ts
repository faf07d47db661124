import { createScreen, type ExtensionUIContext, OTHER_ROWS } from "../../session-core/pi/index.ts";
import { type PiecePainter, painted, painterOf } from "../pieces.ts";
import type { CardContent } from "./content.ts";
import { type CardKeys, type CardSize, hintsOf, layCard } from "./layout.ts";

const KEY = "session-resume";

/** What the extension can show: the card, a status in the footer, one-line answers, and text in the editor. */
export type CardScreen = ReturnType<typeof createCardScreen>;

type Ui = Pick<
	ExtensionUIContext,
	"setWidget" | "setStatus" | "notify" | "getEditorText" | "setEditorText" | "onTerminalInput" | "theme"
>;

export function createCardScreen(ui: Ui, keys: CardKeys) {
	const screen = createScreen(ui, KEY);
	return {
		...screen,
		show(view: CardContent): void {
			// In RPC mode, the client receives plain lines and wraps them itself. In a terminal, this call only tells `hide` that a card is
			// shown.
			screen.show(() =>
				screen.isTerminal() ? [] : layCard(view).map((line) => line.map(({ text }) => text).join("")),
			);
			// The width of a terminal is known only when the card is painted.
			if (screen.isTerminal())
				ui.setWidget(KEY, ({ terminal }) =>
					cardComponent(view, painterOf(ui.theme), () => ({
						rows: terminal.rows - OTHER_ROWS,
						hints: hintsOf(view.next, keys),
					})),
				);
		},
		typed: () => ui.getEditorText(),
		/** Inserts text before the existing text in the editor, unless it is already there. */
		fillEditor(text: string): void {
			const typed = ui.getEditorText();
			const isThere = typed === text || typed.startsWith(`${text}\n`);
			if (!isThere) ui.setEditorText(typed.trim() === "" ? text : `${text}\n\n${typed}`);
			// pi 0.73.1 shows the editor's new text only in the next frame, so a frame is requested here.
			if (screen.isTerminal()) ui.setStatus(`${KEY}:editor`, undefined);
		},
	};
}

/** Width of the margin on each side, in columns. The host's own widgets have the same margin. */
const MARGIN = 1;

export function cardComponent(view: CardContent, painter: PiecePainter, size: () => CardSize) {
	return {
		render(width: number): string[] {
			const lines = layCard(view, { columns: Math.max(1, width - 2 * MARGIN), ...size() });
			return lines.map((line) => " ".repeat(Math.min(MARGIN, width - 1)) + painted(line, painter));
		},
		invalidate: () => undefined,
	};
}
