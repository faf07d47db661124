import { STATE_NAMES } from "../../session-core/words/index.ts";
import { fitRow, type Piece, piece, widthOf, wrappedPieces } from "../pieces.ts";
import { ACTS, type BoardKey } from "./keys.ts";
import { FORK, glyphOf, PINNED, SELECTED, WAITS } from "./row-view.ts";
import type { BoardState } from "./state.ts";

interface Size {
	width: number;
	keys: Readonly<Record<BoardKey, string>>;
}

interface BoardSize extends Size {
	height: number;
}

const HINTS: Record<"rename" | "question" | "transcript", readonly (readonly [BoardKey, string])[]> = {
	rename: [
		["confirm", "save name"],
		["cancel", "cancel"],
	],
	question: [
		["confirm", "choose"],
		["cancel", "back"],
	],
	transcript: [
		["up", "scroll"],
		["fork", "fork"],
		["confirm", "resume"],
		["cancel", "back"],
	],
};

/** Returns the last line of the board: the keys of the current mode, or a notice. */
export function hintLine(board: BoardState, { width, keys }: Size): Piece[] {
	const { notice, mode } = board;
	if (notice) {
		const style = notice.kind === "warning" ? "warning" : "accent";
		return fitRow([piece(` ${notice.text}`, style)], width);
	}
	if (mode.type === "help") return [];
	const pairs =
		mode.type === "list" ? ACTS.map(({ key, label }) => [key, label(board)] as const) : HINTS[mode.type];
	return hints(
		pairs.map(([key, what]) => [keys[key], what]),
		width,
	);
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
	const lines = wrappedPieces(text, width - 4).map((line) => [piece("  "), ...line]);
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

/** The last two hints, for help and for closing, are always shown. */
const ALWAYS_SHOWN = 2;

/** Returns as many complete hints as fit, in order. If not all fit, keys are abbreviated (`^O`). */
function hints(pairs: readonly Pair[], width: number): Piece[] {
	const named = pairs.filter(([key]) => key !== "");
	const fits = (some: readonly Pair[]) => widthOf(hintPieces(some)) <= width;
	if (fits(named)) return fitRow(hintPieces(named), width);
	const short = named.map(([key, what]): Pair => [shortKey(key), what]);
	const last = short.splice(-ALWAYS_SHOWN);
	const shown: Pair[] = [];
	for (const pair of short) if (fits([...shown, pair, ...last])) shown.push(pair);
	const all = [...shown, ...last];
	while (all.length > 1 && !fits(all)) all.pop();
	return fitRow(hintPieces(all), width);
}

function hintPieces(pairs: readonly Pair[]): Piece[] {
	const pieces = pairs.flatMap(([key, what]) => [
		piece(" · ", "dim"),
		piece(key, "dim"),
		piece(` ${what}`, "muted"),
	]);
	return [piece(" "), ...pieces.slice(1)];
}

/** Abbreviates a key in the usual notation of terminals: `ctrl+o` becomes `^O`. */
function shortKey(key: string): string {
	return key.replace(/^ctrl\+([a-z])$/, (_, letter: string) => `^${letter.toUpperCase()}`);
}
