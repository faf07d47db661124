import type { Paint, Screen } from "../session-core/host/screen.ts";
import { type Draft, viewOf } from "./draft/draft.ts";

export interface RecapView {
	lines: readonly string[];
	/** The line that names the files or the commit of the latest work. Only this line is dim. */
	artifacts?: string;
	/** Whether the recap was generated offline and not by a model. If so, the header says that the text is quoted, and its glyph is dimmed. */
	offline: boolean;
	/** The key that hides the recap; undefined if none is bound. */
	hide?: string | undefined;
}

const GLYPH = "✦";
/** Maximum number of lines below the header. With the header, the widget stays well within the host's limit of ten strings. */
const MAX_LINES = 3;

/** Returns the lines of the widget: a header and the recap. The host wraps them to the width of the terminal. */
export function widgetLines(view: RecapView, paint: Paint | undefined): string[] {
	const { offline, hide, artifacts } = view;
	const body = view.lines.slice(0, MAX_LINES);
	if (!paint) return [`${GLYPH} recap`, ...body];
	const glyph = offline ? paint.dim(GLYPH) : paint.accent(paint.bold(GLYPH));
	const notes = [hide, offline ? "quoted" : undefined].filter((note) => note !== undefined);
	const hint = notes.map((note) => paint.dim(` · ${note}`)).join("");
	return [
		`${glyph} ${paint.accent(paint.bold("recap"))}${hint}`,
		...body.map((line) => (line === artifacts ? paint.dim(line) : line)),
	];
}

export interface SurfaceDeps {
	screen: Pick<Screen, "show" | "hide">;
	/** The key that shows and hides the recap; undefined if none is bound. */
	hideKey: string | undefined;
	/** Called when a recap is on the screen. */
	shown(): void;
}

/** The recap above the editor. It always consists of plain string lines, so that RPC clients get it, too. */
export interface Surface {
	/** The state whose recap is shown. */
	readonly stamp: string | undefined;
	put(draft: Draft): void;
	hide(): void;
}

export function createSurface({ screen, hideKey, shown }: SurfaceDeps): Surface {
	let stamp: string | undefined;
	return {
		get stamp() {
			return stamp;
		},
		put(draft) {
			stamp = draft.stamp;
			shown();
			const hide = hideKey && `${hideKey} to hide this`;
			screen.show((paint) => widgetLines({ ...viewOf(draft), hide, artifacts: draft.artifacts }, paint));
		},
		hide() {
			stamp = undefined;
			screen.hide();
		},
	};
}
