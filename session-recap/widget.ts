import type { Paint } from "../session-core/terminal/screen.ts";

/** What stands above the editor: always plain string lines, so that RPC clients get it too. */

export interface RecapView {
	lines: readonly string[];
	/** Read from the session by rules, not by a model: the glyph is dimmer. */
	offline: boolean;
	/** How it is taken off the screen; undefined: no key is bound. */
	hide?: string | undefined;
}

const GLYPH = "✦";
/** The host cuts widgets at ten strings; a recap is never more than a header and three lines. */
const MAX_LINES = 3;

/** The widget's lines under its `label`. The host wraps them to the terminal's width. */
export function widgetLines(view: RecapView, paint: Paint | undefined, label: string): string[] {
	const body = view.lines.slice(0, MAX_LINES);
	if (!paint) return [`${GLYPH} ${label}`, ...body];
	const glyph = view.offline ? paint.dim(GLYPH) : paint.accent(paint.bold(GLYPH));
	const hint = view.hide === undefined ? "" : paint.dim(` · ${view.hide}`);
	return [`${glyph} ${paint.accent(paint.bold(label))}${hint}`, ...body.map((line) => paint.dim(line))];
}
