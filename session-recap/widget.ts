import type { Paint } from "../session-core/terminal/screen.ts";

/** What stands above the editor: always plain string lines, so that RPC clients get it too. */

export interface RecapView {
	lines: readonly string[];
	/** Read from the session by rules, not by a model: the glyph is dimmer. */
	offline: boolean;
}

const GLYPH = "✦";
const LABEL = "recap";
/** The host cuts widgets at ten strings; a recap is never more than a header and three lines. */
const MAX_LINES = 3;

/** The widget's lines. The host wraps them to the terminal's width. */
export function widgetLines(view: RecapView, paint: Paint | undefined): string[] {
	const body = view.lines.slice(0, MAX_LINES);
	if (!paint) return [`${GLYPH} ${LABEL}`, ...body];
	const glyph = view.offline ? paint.dim(GLYPH) : paint.accent(paint.bold(GLYPH));
	return [`${glyph} ${paint.accent(paint.bold(LABEL))}`, ...body.map((line) => paint.dim(line))];
}
