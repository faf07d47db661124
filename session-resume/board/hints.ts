import { displayWidth } from "../../session-core/terminal/columns.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { type Span, span, row as spanRow } from "./spans.ts";
import type { Board, BoardKey } from "./types.ts";

interface Keyed {
	width: number;
	keys: Readonly<Record<BoardKey, string>>;
}

/** What the keys do now, or what has just happened. */
export function hintLine(board: Board, { width, keys }: Keyed): Span[] {
	const { notice, mode } = board;
	if (notice)
		return spanRow(
			[span(` ${cleanLine(notice.text)}`, notice.kind === "warning" ? "warning" : "accent")],
			width,
		);
	if (mode.type === "rename")
		return hints(
			[
				[keys.confirm, "save the name"],
				[keys.cancel, "leave it"],
			],
			width,
		);
	return hints(
		[
			[keys.confirm, "resume"],
			[keys.fork, "fork"],
			[keys.rename, "rename"],
			[keys.scope, board.scope === "all" ? "this project" : "all"],
			[keys.search, "search all said"],
			[keys.cancel, cancelWord(board)],
		],
		width,
	);
}

/** What leaving the next thing means. */
function cancelWord({ search, query }: Board): string {
	if (search) return "back";
	return query === "" ? "close" : "clear";
}

/** As many hints as fit, whole. */
export function hints(pairs: readonly (readonly [string, string])[], width: number): Span[] {
	const spans: Span[] = [span(" ")];
	let used = 1;
	for (const [key, what] of pairs) {
		if (key === "") continue;
		const gap = used > 1 ? 3 : 0;
		const needed = gap + displayWidth(key) + 1 + displayWidth(what);
		if (used + needed > width) break;
		if (gap > 0) spans.push(span(" · ", "dim"));
		spans.push(span(key, "dim"), span(` ${what}`, "muted"));
		used += needed;
	}
	return spanRow(spans, width);
}
