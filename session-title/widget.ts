import type { TitleSource } from "./names/record.ts";

/** What stands above the editor: always plain string lines, so that RPC clients get it too. */

/** The colours of the host's theme that the widget uses; absent where the lines go to a program. */
export interface Paint {
	accent(text: string): string;
	dim(text: string): string;
}

export interface TitleView {
	title: string;
	source: TitleSource;
}

const GLYPH = "✎";
const HINT = "/rename <name> changes it";

/** The widget's lines: dim, with how to change it, where nobody chose the title. */
export function widgetLines({ title, source }: TitleView, paint: Paint | undefined): string[] {
	const line = source === "auto" ? `${GLYPH} ${title}  ·  ${HINT}` : `${GLYPH} ${title}`;
	if (!paint) return [line];
	return source === "auto" ? [paint.dim(line)] : [`${paint.accent(GLYPH)} ${title}`];
}
