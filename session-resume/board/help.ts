import { ASKED_LOOK, FILTER_SYNTAX, STATE_LOOKS, unknownState } from "../../session-core/sessions/index.ts";
import { fitRow, type Piece, piece, widthOf, wrappedPieces } from "../pieces.ts";
import { ACTS, type BoardKey } from "./keys.ts";
import type { BoardState } from "./list.ts";
import { FORK, glyphOf, OVERLAP, PINNED, TWICE } from "./row-view.ts";

export interface BoardView {
	width: number;
	height: number;
	now: number;
	input: string;
	keys: Readonly<Record<BoardKey, string>>;
	/** Renders the help or the transcript in this many lines. */
	pane?: (lines: number) => string[];
}

type HelpView = Pick<BoardView, "width" | "keys">;

const HINTS: Record<
	"answer" | "rename" | "question" | "transcript" | "help",
	readonly (readonly [BoardKey, string])[]
> = {
	answer: [
		["confirm", "send"],
		["cancel", "cancel"],
	],
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
	help: [
		["up", "scroll"],
		["cancel", "back"],
	],
};

/** Maximum number of lines of a message. The message covers the last lines of the board until the next key is pressed. */
const NOTICE_LINES = 3;

/** Returns the last lines of the board: a message, a problem with the filter, or the key hints. */
export function hintLines(board: BoardState, { width, keys }: HelpView): Piece[][] {
	const { mode, list } = board;
	const problem = mode.type === "list" ? unknownState(list.query) : undefined;
	const notice = board.notice ?? (problem && { text: problem, kind: "warning" });
	if (notice) {
		const style = notice.kind === "warning" ? "warning" : "accent";
		const lines = wrappedPieces(notice.text, width - 2, style, NOTICE_LINES);
		return lines.map((line) => fitRow([piece(" "), ...line], width));
	}
	const pairs =
		mode.type === "list" ? ACTS.map(({ key, label }) => [key, label(board)] as const) : HINTS[mode.type];
	return [
		hints(
			pairs.map(([key, what]) => [
				key === "up" ? `${keys.up}/${keys.down}`.replace("up/down", "↑↓") : keys[key],
				what,
			]),
			width,
		),
	];
}

const KEY_COLUMNS = 12;

export function helpLines({ width, keys }: HelpView): Piece[][] {
	const explained = (what: string, meaning: string): Piece[][] =>
		wrappedPieces(meaning, Math.max(1, width - KEY_COLUMNS - 2)).map((line, index) => [
			piece(`  ${(index === 0 ? what : "").padEnd(KEY_COLUMNS)}`, "accent"),
			...line,
		]);
	const acts = ACTS.filter(({ key }) => keys[key] !== "").flatMap(({ key, help }) =>
		explained(keys[key], help),
	);
	const syntax = FILTER_SYNTAX.flatMap(([example, meaning]) => explained(example, meaning));
	const text = symbols()
		.map(([symbol, meaning]) => `${symbol} ${meaning}`)
		.join(" · ");
	const lines = wrappedPieces(text, width - 4).map((line) => [piece("  "), ...line]);
	return [...acts, ...lines, ...syntax].map((line) => fitRow(line, width));
}

function symbols(): [symbol: string, meaning: string][] {
	const { closed: _, ...open } = STATE_LOOKS;
	const states = [...Object.values(open), ASKED_LOOK].map((look): [Piece, string] => [
		glyphOf(look),
		look.words,
	]);
	const others: [Piece, string][] = [
		[PINNED, "pinned"],
		[FORK, "fork"],
		[OVERLAP, "changed a file that another session changed, too"],
		[TWICE, "open in two tabs"],
	];
	return [...states, ...others].map(([{ text }, meaning]) => [text.trim(), meaning]);
}

type Pair = readonly [key: string, what: string];

/** The last two hints, for help and for closing, are always shown. */
const ALWAYS_SHOWN = 2;

/** Returns as many complete hints as fit, in order. If not all fit, keys are abbreviated (`^O`). */
function hints(pairs: readonly Pair[], width: number): Piece[] {
	const named = pairs.filter(([key, what]) => key !== "" && what !== "");
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

function shortKey(key: string): string {
	return key.replace(/^ctrl\+([a-z])$/, (_, letter: string) => `^${letter.toUpperCase()}`);
}
