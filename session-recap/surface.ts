import type { Paint, Screen } from "../session-core/host/screen.ts";
import type { Words } from "../session-core/words/words.ts";
import { type Draft, viewOf } from "./draft/draft.ts";

export interface RecapView {
	lines: readonly string[];
	/** Generated offline, not by a model: the glyph is dimmer. */
	offline: boolean;
	/** How to remove it from the screen; undefined if no key is bound. */
	hide?: string | undefined;
}

const GLYPH = "✦";
/** The host limits widgets to ten strings; a recap never has more than a header and three lines. */
const MAX_LINES = 3;

/** Returns the widget's lines under its `label`. The host wraps them to the terminal's width. */
export function widgetLines(view: RecapView, paint: Paint | undefined, label: string): string[] {
	const body = view.lines.slice(0, MAX_LINES);
	if (!paint) return [`${GLYPH} ${label}`, ...body];
	const glyph = view.offline ? paint.dim(GLYPH) : paint.accent(paint.bold(GLYPH));
	const hint = view.hide === undefined ? "" : paint.dim(` · ${view.hide}`);
	return [`${glyph} ${paint.accent(paint.bold(label))}${hint}`, ...body.map((line) => paint.dim(line))];
}

export interface SurfaceDeps {
	screen: Pick<Screen, "show" | "hide">;
	/** The key that shows and hides the recap; undefined if none is bound. */
	hideKey: string | undefined;
	words(): Words;
	/** The recap of this state is now on the screen. */
	shown(stamp: string): void;
}

/** The recap above the editor: always plain string lines, so that RPC clients get it too. */
export interface Surface {
	/** The state whose recap is on screen. */
	readonly stamp: string | undefined;
	put(draft: Draft): void;
	hide(): void;
}

export function createSurface({ screen, hideKey, words, shown }: SurfaceDeps): Surface {
	let stamp: string | undefined;
	return {
		get stamp() {
			return stamp;
		},
		put(draft) {
			stamp = draft.stamp;
			shown(draft.stamp);
			const { recap, keys } = words();
			const hide = hideKey && keys.hides(hideKey);
			screen.show((paint) => widgetLines({ ...viewOf(draft), hide }, paint, recap.name));
		},
		hide() {
			stamp = undefined;
			screen.hide();
		},
	};
}
