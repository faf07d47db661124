import { hostColumns } from "../../session-core/host/pi.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { STATE_NAMES } from "../../session-core/words/age.ts";
import { fitRow, type Piece, piece } from "../pieces.ts";
import { ACTS, type BoardKey } from "./keys.ts";
import { FORK, glyphOf, PINNED, SELECTED, WAITS } from "./row-view.ts";
import type { BoardState } from "./state.ts";

const { displayWidth, wrapColumns } = hostColumns;

interface Size {
	width: number;
	keys: Readonly<Record<BoardKey, string>>;
}

interface BoardSize extends Size {
	height: number;
}

/** Returns the last line of the board: the keys of the current mode, or a notice. */
export function hintLine(board: BoardState, { width, keys }: Size): Piece[] {
	const { notice, mode } = board;
	if (notice) {
		const style = notice.kind === "warning" ? "warning" : "accent";
		return fitRow([piece(` ${cleanLine(notice.text)}`, style)], width);
	}
	switch (mode.type) {
		case "rename":
			return hints(
				[
					[keys.confirm, "save name"],
					[keys.cancel, "cancel"],
				],
				width,
			);
		case "question":
			return hints(
				[
					[keys.confirm, "choose"],
					[keys.cancel, "back"],
				],
				width,
			);
		case "transcript":
			return hints(
				[
					[keys.up, "scroll"],
					[keys.fork, "fork"],
					[keys.confirm, "resume"],
					[keys.cancel, "back"],
				],
				width,
			);
		case "help":
			return [];
		case "list":
			return hints(
				ACTS.map(({ key, label }) => [keys[key], label(board)]),
				width,
			);
	}
}

const KEY_COLUMNS = 12;

/** Returns a page of the help, with its own hints. The pages form a circle. */
export function helpLines(board: BoardState, turned: number, { width, height, keys }: BoardSize): Piece[][] {
	const lines = allHelp(board, { width, keys });
	// The header, an empty line, and the hints.
	const room = Math.max(1, height - 3);
	const pages = Math.ceil(lines.length / room);
	const page = ((turned % pages) + pages) % pages;
	const shown = Array.from({ length: room }, (_, index) => lines[page * room + index] ?? []);
	const next: Pair[] = pages > 1 ? [[keys.down, `next page (${page + 1} of ${pages})`]] : [];
	return [...shown, hints([...next, [keys.cancel, "back"]], width)];
}

/** Returns every key, every symbol and the syntax of the filter. */
function allHelp(board: BoardState, { width, keys }: Size): Piece[][] {
	const acts = ACTS.filter(({ key }) => keys[key] !== "").map(({ key, label }) => [
		piece(`  ${keys[key].padEnd(KEY_COLUMNS)}`, "accent"),
		piece(label(board)),
	]);
	const syntax = FILTER_SYNTAX.map(([example, meaning]) => [
		piece(`  ${example.padEnd(KEY_COLUMNS)}`, "accent"),
		piece(meaning),
	]);
	const text = symbols()
		.map(([symbol, meaning]) => `${symbol} ${meaning}`)
		.join(" · ");
	const lines = wrapColumns(text, { columns: Math.max(1, width - 4) }).map((line) => [piece(`  ${line}`)]);
	return [...acts, ...lines, ...syntax].map((line) => fitRow(line, width));
}

function symbols(): [symbol: string, meaning: string][] {
	const states = (["needs_you", "failed", "working", "idle"] as const).map((state): [Piece, string] => [
		glyphOf(state),
		STATE_NAMES[state],
	]);
	const others: [Piece, string][] = [
		[WAITS, "ended with a question"],
		[PINNED, "pinned"],
		[piece(SELECTED), "selected"],
		[FORK, "fork"],
	];
	return [...states, ...others].map(([{ text }, meaning]) => [text.trim(), meaning]);
}

const FILTER_SYNTAX = [
	["a b", "every word matches"],
	['"a b"', "the words in this order"],
	["re:a|b", "a regular expression"],
	["0195a1b2", "the start of an id"],
	["branch:fix", "a part of the branch"],
	["is:failed", "also waiting, working, idle or closed"],
] as const;

type Pair = readonly [key: string, what: string];

const GAP = " · ";
/** The last two hints, for help and for closing, are always shown. */
const ALWAYS_SHOWN = 2;

/** Returns as many complete hints as fit, in order. If not all fit, keys are abbreviated (`^O`). */
function hints(pairs: readonly Pair[], width: number): Piece[] {
	const named = pairs.filter(([key]) => key !== "");
	const short = named.map(([key, what]): Pair => [shortKey(key), what]);
	const shown = widthOf(named) <= width ? named : fitting(short, width);
	const pieces = shown.flatMap(([key, what], index) => [
		...(index > 0 ? [piece(GAP, "dim")] : []),
		piece(key, "dim"),
		piece(` ${what}`, "muted"),
	]);
	return fitRow([piece(" "), ...pieces], width);
}

function fitting(pairs: readonly Pair[], width: number): Pair[] {
	const last = pairs.slice(-ALWAYS_SHOWN);
	const shown: Pair[] = [];
	for (const pair of pairs.slice(0, -ALWAYS_SHOWN))
		if (widthOf([...shown, pair, ...last]) <= width) shown.push(pair);
	const all = [...shown, ...last];
	while (all.length > 1 && widthOf(all) > width) all.pop();
	return all;
}

function widthOf(pairs: readonly Pair[]): number {
	const texts = pairs.reduce((sum, [key, what]) => sum + displayWidth(key) + 1 + displayWidth(what), 0);
	return 1 + texts + GAP.length * Math.max(0, pairs.length - 1);
}

/** Abbreviates a key in the usual notation of terminals: `ctrl+o` becomes `^O`. */
function shortKey(key: string): string {
	return key.replace(/^ctrl\+([a-z])$/, (_, letter: string) => `^${letter.toUpperCase()}`);
}
