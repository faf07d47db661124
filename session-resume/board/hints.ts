import { displayWidth } from "../../session-core/terminal/columns.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { ACTS } from "./acts.ts";
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
				[keys.confirm, board.words.board.saveName],
				[keys.cancel, board.words.board.leaveName],
			],
			width,
		);
	return hints(
		ACTS.map(({ key, label }) => [keys[key], label(board)]),
		width,
	);
}

/** What the keys do while a transcript is read. */
export function transcriptHints(
	{ words: { board: words } }: Pick<Board, "words">,
	{ width, keys }: Keyed,
): Span[] {
	return hints(
		[
			[keys.up, words.scroll],
			[keys.fork, words.fork],
			[keys.confirm, words.resume],
			[keys.cancel, words.back],
		],
		width,
	);
}

/**
 * As many hints as fit, whole, in their order: with the keys written out if all fit so, else short (`^O`). The last two stay:
 * the way to all keys, and the way out.
 */
export function hints(pairs: readonly Pair[], width: number): Span[] {
	const named = pairs.filter(([key]) => key !== "");
	const short = named.map(([key, what]): Pair => [shortKey(key), what]);
	const shown = widthOf(named) <= width ? named : fitting(short, width);
	const spans = shown.flatMap(([key, what], index) => [
		...(index > 0 ? [span(GAP, "dim")] : []),
		span(key, "dim"),
		span(` ${what}`, "muted"),
	]);
	return spanRow([span(" "), ...spans], width);
}

type Pair = readonly [key: string, what: string];

const GAP = " · ";
const STAYING = 2;

function fitting(pairs: readonly Pair[], width: number): Pair[] {
	const last = pairs.slice(-STAYING);
	const shown: Pair[] = [];
	for (const pair of pairs.slice(0, -STAYING))
		if (widthOf([...shown, pair, ...last]) <= width) shown.push(pair);
	const all = [...shown, ...last];
	while (all.length > 1 && widthOf(all) > width) all.pop();
	return all;
}

function widthOf(pairs: readonly Pair[]): number {
	const texts = pairs.reduce((sum, [key, what]) => sum + displayWidth(key) + 1 + displayWidth(what), 0);
	return 1 + texts + GAP.length * Math.max(0, pairs.length - 1);
}

/** `ctrl+o` as terminals have always written it. */
function shortKey(key: string): string {
	return key.replace(/^ctrl\+([a-z])$/, (_, letter: string) => `^${letter.toUpperCase()}`);
}
