import type { ShortcutKeys } from "../../session-core/command/shortcuts.ts";
import { clipColumns, clipSentence, displayWidth, wrapColumns } from "../../session-core/host/columns.ts";
import type { WrapOptions } from "../../session-core/text/wrap.ts";
import type { CardView } from "./content.ts";

/** The style of a part of a line. */
export type Tone = "glyph" | "label" | "headline" | "next" | "dim";

export interface Piece {
	tone: Tone;
	text: string;
}

export type Line = Piece[];

/** The host shows at most ten lines of a widget. */
export const MAX_LINES = 10;

const GLYPH = "▤";

interface Block {
	lines: Line[];
	/** The block's rank. Blocks of rank 0 are always shown; the others are added in the order of their ranks while there is room. */
	rank: number;
	/** Its position on the card. */
	place: number;
}

/**
 * Returns the card's lines, at most ten. If `columns` is given, lines are wrapped to this width, and long blocks take two or three lines.
 * Otherwise, each block is one line, for programs that wrap lines themselves.
 */
export function cardLines(view: CardView, columns?: number): Line[] {
	const blocks = blocksOf(view, columns).toSorted((a, b) => a.rank - b.rank);
	const chosen: Block[] = [];
	let left = MAX_LINES;
	for (const block of blocks) {
		if (block.lines.length === 0 || block.lines.length > left) continue;
		chosen.push(block);
		left -= block.lines.length;
	}
	return chosen.toSorted((a, b) => a.place - b.place).flatMap(({ lines }) => lines);
}

/** Returns the blocks of the card. Blocks of rank 0 have at most nine lines in total, and every other block has one line. */
function blocksOf(view: CardView, columns: number | undefined): Block[] {
	const lay = layouter(columns);
	const numbered = view.next.length > 1;
	const [first, ...others] = view.next.map((text, index) => (numbered ? `${index + 1} ${text}` : text));
	const must = (place: number, lines: Line[]): Block => ({ rank: 0, place, lines });
	return [
		must(0, headerLines(view, lay)),
		must(1, lay(view.headline, { max: view.isDrafted ? 3 : 2, tone: "headline" })),
		...view.bullets.map((text, index) => ({
			// A headline written by a model already describes what happened, so the first bullet then has a lower priority.
			rank: index === 0 && !view.isDrafted ? 1 : 3 + index,
			place: 2 + index / 10,
			lines: lay(text, { max: 1, lead: "· ", tone: "dim" }),
		})),
		must(3, lay(first ?? "", { max: 2, lead: "→ ", tone: "next" })),
		...others.map((text, index) => ({
			rank: 3.5 + index,
			place: 4 + index / 10,
			lines: lay(text, { max: 1, lead: "  ", tone: "dim" }),
		})),
		{ rank: 2, place: 5, lines: lay(view.artifacts, { max: 1, tone: "dim" }) },
		must(6, lay(view.repository, { max: 1, tone: "dim" })),
		{ rank: 1.5, place: 6.5, lines: lay(view.fresh, { max: 1, tone: "dim" }) },
		must(7, lay(hintFor(view, columns), { max: 1, tone: "dim" })),
	];
}

/** Returns the longest hint that fits. */
function hintFor({ hints }: CardView, columns = Number.POSITIVE_INFINITY): string {
	return hints.find((hint) => displayWidth(hint) <= columns) ?? hints.at(-1) ?? "";
}

function headerLines(view: CardView, lay: Lay): Line[] {
	const text = [view.name, view.state].filter(Boolean).join("  ");
	const [first, ...rest] = lay(text, { max: 2, lead: `${GLYPH} `, tone: "dim" });
	const line = first?.[0]?.text ?? "";
	const head = `${GLYPH} ${view.name}`;
	// Too narrow even for the label.
	if (!line.startsWith(head)) return [[{ tone: "label", text: line }], ...rest];
	const pieces: Line = [
		{ tone: view.offline ? "dim" : "glyph", text: GLYPH },
		{ tone: "label", text: head.slice(GLYPH.length) },
		{ tone: "dim", text: line.slice(head.length) },
	];
	return [pieces.filter(({ text }) => text !== ""), ...rest];
}

interface LayOptions {
	/** Maximum number of lines. */
	max: number;
	/** In front of the first line. */
	lead?: string;
	tone: Tone;
}
type Lay = (text: string, options: LayOptions) => Line[];

/** The indent of the continuation lines if the first line begins with a symbol. */
const INDENT = "  ";

function layouter(columns: number | undefined): Lay {
	return (text, { max, lead = "", tone }) => {
		if (text === "") return [];
		if (columns === undefined) return [[{ tone, text: lead + text }]];
		const indent = lead === "" ? "" : INDENT;
		return wrap(lead + text, { columns, indent, max }).map((line) => [{ tone, text: line }]);
	};
}

/**
 * Wraps the text to at most `max` lines. If the text is too long, returns as many whole sentences as fit, or else the beginning of the text
 * followed by "…".
 */
function wrap(text: string, options: WrapOptions & { columns: number; max: number }): string[] {
	const { max, columns } = options;
	if (max === 1) return [clipColumns(text, columns)];
	const lines = wrapColumns(text, options);
	if (!lines.at(-1)?.endsWith("…") || text.endsWith("…")) return lines;
	// Wrapped lines are not full.
	const sentences = clipSentence(text, columns * (max - 0.5));
	const whole = sentences.endsWith("…") ? [] : wrapColumns(sentences, { ...options, max: max + 1 });
	return whole.length > 0 && whole.length <= max ? whole : lines;
}

export type CardKeys = Pick<ShortcutKeys, "next" | "card">;

const CONTINUE = "/resume-here";
const HIDE = "/recap-card clear";

/** Returns the card's last line in several lengths, longest first. The longest version names both the keys and their commands. */
export function hintsOf(
	{ hints, keyWords, next: open }: Pick<CardView, "hints" | "keyWords" | "next">,
	{ next: [next], card: [hide] }: CardKeys,
): readonly string[] {
	if (next === undefined && hide === undefined) return hints;
	const continues = keyWords.toContinue(next ?? CONTINUE);
	const hides = keyWords.toHide(hide ?? HIDE);
	if (open.length === 0) return [hide === undefined ? hides : `${hides} (${HIDE})`, hides, hide ?? HIDE];
	return [
		[
			next === undefined ? continues : `${continues} (${CONTINUE})`,
			hide === undefined ? hides : `${hides} (${HIDE})`,
		],
		[continues, hides],
		[next ?? CONTINUE, hide].filter((it) => it !== undefined),
	].map((parts) => parts.join(" · "));
}
