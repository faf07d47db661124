import { createScreen, type ExtensionUIContext, OTHER_ROWS } from "../../session-core/pi/index.ts";
import { type PiecePainter, painted, painterOf } from "../pieces.ts";
import type { CardContent } from "./content.ts";
import { type CardKeys, type CardSize, hintsOf, layCard } from "./layout.ts";

const KEY = "session-resume";

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
			// In RPC mode, the client wraps the card's lines itself, so it receives plain lines.
			screen.show(() =>
				screen.isTerminal() ? [] : layCard(view).map((line) => line.map(({ text }) => text).join("")),
			);
			if (screen.isTerminal())
				ui.setWidget(KEY, ({ terminal }) =>
					cardComponent(view, painterOf(ui.theme), () => ({
						rows: terminal.rows - OTHER_ROWS,
						hints: hintsOf(view.next, keys),
					})),
				);
		},
		typed: () => ui.getEditorText(),
		fillEditor(text: string): void {
			const typed = ui.getEditorText();
			const isThere = typed === text || typed.startsWith(`${text}\n`);
			if (!isThere) ui.setEditorText(typed.trim() === "" ? text : `${text}\n\n${typed}`);
			// pi 0.73.1 shows the editor's new text only in the next frame. Setting a status requests that frame.
			if (screen.isTerminal()) ui.setStatus(`${KEY}:editor`, undefined);
		},
	};
}

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
