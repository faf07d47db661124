import type { Painted } from "../session-core/host/screen.ts";
import type { TitleSource } from "../session-core/session-file/name-records.ts";
import type { TitleWords } from "../session-core/words/words.ts";

/** What stands above the editor: always plain string lines, so that RPC clients get it too. */

export interface TitleView {
	title: string;
	source: TitleSource;
}

const GLYPH = "✎";

/** The widget's lines: dim, with how to change it, where nobody chose the title. */
export function titleLines({ title, source }: TitleView, { hint }: TitleWords): Painted {
	const line = source === "auto" ? `${GLYPH} ${title}  ·  ${hint}` : `${GLYPH} ${title}`;
	return (paint) => {
		if (!paint) return [line];
		return source === "auto" ? [paint.dim(line)] : [`${paint.accent(GLYPH)} ${title}`];
	};
}
