import { ACTS } from "./acts.ts";
import { type Span, span, row as spanRow } from "./spans.ts";
import type { Board, BoardKey } from "./types.ts";

const KEY_COLUMNS = 12;

/** Every act with its key, a line each. */
export function keyLines(
	board: Board,
	{ width, keys }: { width: number; keys: Readonly<Record<BoardKey, string>> },
): Span[][] {
	return ACTS.filter(({ key }) => keys[key] !== "").map(({ key, label }) =>
		spanRow([span(`  ${keys[key].padEnd(KEY_COLUMNS)}`, "accent"), span(label(board))], width),
	);
}
