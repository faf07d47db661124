import { ASKED_LOOK, FILTER_SYNTAX, filterProblem, STATE_LOOKS } from "../../session-core/sessions/index.ts";
import { fitRow, type Piece, piece, widthOf, wrappedPieces } from "../pieces.ts";
import type { Board, Mode } from "./board.ts";
import { ACTS, type BoardKey } from "./keys.ts";
import { FORK, glyphOf, OVERLAP, PINNED, TWICE } from "./row-view.ts";

export interface HelpView {
	width: number;
	keys: Readonly<Record<BoardKey, string>>;
}

const HINTS: Readonly<Record<Exclude<Mode["type"], "list">, Partial<Record<BoardKey, string>>>> = {
	answer: { confirm: "send", cancel: "cancel" },
	rename: { confirm: "save name", cancel: "cancel" },
	question: { confirm: "choose", cancel: "back" },
	transcript: { up: "scroll", fork: "fork", confirm: "resume", cancel: "back" },
	help: { up: "scroll", cancel: "back" },
};

/** The maximum number of lines that a message may occupy at the bottom of the board. */
const NOTICE_LINES = 3;

export function hintLines({ mode, list, notice }: Board, { width, keys }: HelpView): Piece[][] {
	const problem = mode.type === "list" ? filterProblem(list.query) : undefined;
	const { text, kind } = notice ?? { text: problem, kind: "warning" };
	if (text !== undefined) {
		const style = kind === "warning" ? "warning" : "accent";
		const lines = wrappedPieces(text, width - 2, style, NOTICE_LINES);
		return lines.map((line) => fitRow([piece(" "), ...line], width));
	}
	const hints =
		mode.type === "list"
			? ACTS.map(({ key, label }) => [keys[key], typeof label === "string" ? label : label(list)] as const)
			: (Object.entries(HINTS[mode.type]) as [BoardKey, string][]).map(
					([key, what]) => [key === "up" ? scrollKeys(keys) : keys[key], what] as const,
				);
	return [fittingHints(hints, width)];
}

function scrollKeys({ up, down }: HelpView["keys"]): string {
	return `${up}/${down}`.replace("up/down", "↑↓");
}

const KEY_COLUMNS = 12;

export function helpLines({ width, keys }: HelpView): Piece[][] {
	const explained = (what: string, meaning: string): Piece[][] =>
		wrappedPieces(meaning, Math.max(1, width - KEY_COLUMNS - 2)).map((line, index) => [
			piece(`  ${(index === 0 ? what : "").padEnd(KEY_COLUMNS)}`, "accent"),
			...line,
		]);
	const acts = ACTS.filter(({ key }) => keys[key] !== "");
	const { closed: _, ...open } = STATE_LOOKS;
	const symbols = [
		...[...Object.values(open), ASKED_LOOK].map((look) => [glyphOf(look), look.words] as const),
		[PINNED, "pinned"] as const,
		[FORK, "fork"] as const,
		[OVERLAP, "changed a file that another session changed, too"] as const,
		[TWICE, "open in two tabs"] as const,
	];
	const legend = symbols.map(([{ text }, meaning]) => `${text.trim()} ${meaning}`).join(" · ");
	const lines = [
		...acts.flatMap(({ key, help }) => explained(keys[key], help)),
		...wrappedPieces(legend, width - 4).map((line) => [piece("  "), ...line]),
		...FILTER_SYNTAX.flatMap(([example, meaning]) => explained(example, meaning)),
	];
	return lines.map((line) => fitRow(line, width));
}

type Hint = readonly [key: string, what: string];

const ALWAYS_SHOWN = 2;

function fittingHints(hints: readonly Hint[], width: number): Piece[] {
	const named = hints.filter(([key, what]) => key !== "" && what !== "");
	const fits = (some: readonly Hint[]) => widthOf(hintPieces(some)) <= width;
	if (fits(named)) return fitRow(hintPieces(named), width);
	const short = named.map(([key, what]): Hint => [shortKey(key), what]);
	const last = short.splice(-ALWAYS_SHOWN);
	const shown: Hint[] = [];
	for (const hint of short) if (fits([...shown, hint, ...last])) shown.push(hint);
	const all = [...shown, ...last];
	while (all.length > 1 && !fits(all)) all.pop();
	return fitRow(hintPieces(all), width);
}

function hintPieces(hints: readonly Hint[]): Piece[] {
	const pieces = hints.flatMap(([key, what]) => [
		piece(" · ", "dim"),
		piece(key, "dim"),
		piece(` ${what}`, "muted"),
	]);
	return [piece(" "), ...pieces.slice(1)];
}

function shortKey(key: string): string {
	return key.replace(/^ctrl\+([a-z])$/, (_, letter: string) => `^${letter.toUpperCase()}`);
}
