import type { Painted } from "../session-core/host/screen.ts";
import type { TitleSource } from "../session-core/session-file/name-records.ts";

export interface TitleView {
	title: string;
	source: TitleSource;
}

const GLYPH = "✎";

/**
 * Returns the lines of the widget above the editor. The lines are plain strings, so that RPC clients receive them, too. An automatic title
 * is dimmed and followed by a hint.
 */
export function titleLines({ title, source }: TitleView): Painted {
	const line = source === "auto" ? `${GLYPH} ${title}  ·  /rename <name> to change it` : `${GLYPH} ${title}`;
	return (paint) => {
		if (!paint) return [line];
		return source === "auto" ? [paint.dim(line)] : [`${paint.accent(GLYPH)} ${title}`];
	};
}
