import { hostColumns, type ShortcutKeys } from "../../session-core/pi/index.ts";
import { OUTCOME_COLORS } from "../../session-core/sessions/index.ts";
import type { WrapOptions } from "../../session-core/text/index.ts";
import { type Piece, piece, type Style } from "../pieces.ts";
import type { CardContent } from "./content.ts";

const { clipColumns, clipSentence, displayWidth, wrapColumns } = hostColumns;

/** Maximum number of lines that the host shows for a widget. */
export const MAX_LINES = 10;

const GLYPH = "▤";
const CONTINUE = "/resume-here";
const HIDE = "/recap-card clear";
const COMMANDS = `${CONTINUE} to continue · ${HIDE} to hide this`;
const NAME = "session card";

interface Block {
	/** Lays out the block in at most this many lines. */
	lines(max: number): Piece[][];
	most: number;
	/** The block's rank. While there is room, the blocks are added in the order of their ranks. */
	rank: number;
	place: number;
}

export interface CardSize {
	/** Lines are wrapped to this width. If it is undefined, each block is one line, for programs that wrap lines themselves. */
	columns?: number | undefined;
	/** Maximum number of lines, at most ten. */
	rows?: number;
	/** Versions of the last line, which names keys or commands, longest first. Default: one version with the commands. */
	hints?: readonly string[];
}

export function layCard(
	view: CardContent,
	{ columns, rows = MAX_LINES, hints = [COMMANDS] }: CardSize = {},
): Piece[][] {
	const hint = hints.find((one) => displayWidth(one) <= (columns ?? displayWidth(one))) ?? hints.at(-1) ?? "";
	const blocks = blocksOf(view, hint, columns).toSorted((a, b) => a.rank - b.rank);
	const chosen: { block: Block; lines: Piece[][] }[] = [];
	let left = Math.max(1, Math.min(rows, MAX_LINES));
	const add = (some: readonly Block[]) => {
		const added = some.flatMap((block) => {
			const lines = left > 0 ? block.lines(1) : [];
			left -= lines.length;
			return lines.length > 0 ? [{ block, lines }] : [];
		});
		// Each block gets one line before any block gets more. The last blocks grow first, because what the agent said is usually longer than
		// what was asked.
		for (const one of added.toReversed()) {
			const before = one.lines.length;
			one.lines = one.block.lines(Math.min(one.block.most, before + left));
			left -= one.lines.length - before;
		}
		chosen.push(...added);
	};
	// What the user must answer has priority over everything else, but leaves one line each for the header, the headline, the repository and
	// the hint or, on a small card, half of the lines.
	const kept = Math.min(4, Math.floor(left / 2));
	left -= kept;
	add(blocks.filter(({ rank }) => rank <= CHOICES));
	left += kept;
	add(blocks.filter(({ rank }) => rank > CHOICES && rank < 1));
	add(blocks.filter(({ rank }) => rank >= 1 && rank < LAST));
	add(blocks.filter(({ rank }) => rank === LAST));
	return chosen.toSorted((a, b) => a.block.place - b.block.place).flatMap(({ lines }) => lines);
}

const BULLET_LINES = 4;
const QUESTION = 0.01;
const CHOICES = 0.02;
/** Rank of a block that is shown only if all others are shown in full. */
const LAST = 100;

/** Returns the blocks of the card. Those with a rank below 1 are shown in full before any other block is shown. */
function blocksOf(view: CardContent, hint: string, columns: number | undefined): Block[] {
	const lay = layouter(columns);
	const [first, ...others] = view.next;
	// The card uses the same colors as the board.
	const next = view.waits ? OUTCOME_COLORS.waiting : "accent";
	const block = (place: number, rank: number, most: number, text: string, look: LineLook): Block => ({
		place,
		rank,
		most,
		lines: (max) => lay(text, { max, ...look }),
	});
	return [
		{ place: 0, rank: 0.3, most: 2, lines: (max) => headerLines(view, lay, max) },
		{ place: 0.5, rank: 0.6, most: 1, lines: (max) => titleLines(view, lay, max) },
		block(1, 0.2, view.isNote ? 4 : 2, view.headline, { style: view.isNote ? "plain" : "strong" }),
		...view.bullets.map((text, index) => {
			const isChoices = index >= (view.choices ?? Number.POSITIVE_INFINITY);
			// A model's sentences already describe what happened, so the first bullet then has a lower priority.
			const rank = index === 0 && !view.isNote ? 1 : 3 + index;
			const look = { lead: "· ", style: "plain" } as const;
			return block(
				2 + index / 10,
				isChoices ? CHOICES : rank,
				isChoices ? MAX_LINES : BULLET_LINES,
				text,
				look,
			);
		}),
		block(3, view.waits ? QUESTION : 0.1, view.waits ? MAX_LINES : 2, first ?? "", {
			lead: "→ ",
			style: next,
		}),
		...others.map((text, index) =>
			block(4 + index / 10, 3.5 + index, 2, text, { lead: "  ", style: "plain" }),
		),
		block(5, LAST, 1, view.artifacts, { style: "dim" }),
		block(6, 0.5, 1, view.repository, { style: "dim" }),
		block(6.5, 1.5, 1, view.fresh, { style: "dim" }),
		block(7, 0.4, 1, hint, { style: "dim" }),
	];
}

function titleLines({ title, topic }: CardContent, lay: Lay, max: number): Piece[][] {
	const [line] = lay(topic === "" ? title : `${title} · ${topic}`, { max, style: "strong" });
	const text = line?.[0]?.text ?? "";
	const [named, rest] = [text.slice(0, title.length), text.slice(title.length)];
	return text === "" ? [] : [[piece(named, "strong"), ...(rest === "" ? [] : [piece(rest, "dim")])]];
}

function headerLines(view: CardContent, lay: Lay, max: number): Piece[][] {
	const text = [NAME, view.state].filter(Boolean).join("  ");
	const [first, ...rest] = lay(text, { max, lead: `${GLYPH} `, style: "dim" });
	const line = first?.[0]?.text ?? "";
	const head = `${GLYPH} ${NAME}`;
	// The card is too narrow even for the label.
	if (!line.startsWith(head)) return [[piece(line, "title")], ...rest];
	const { text: outcome = "", color: style = "dim" } = view.outcome ?? {};
	const state = line.slice(head.length);
	const isWhole = outcome !== "" && state.endsWith(outcome);
	const at = isWhole ? state.length - outcome.length : state.length;
	const pieces = [
		piece(GLYPH, view.offline ? "dim" : "title"),
		piece(head.slice(GLYPH.length), "title"),
		piece(state.slice(0, at), "dim"),
		piece(state.slice(at), style),
	];
	// An outcome that does not fit on the first line continues on the second one.
	const below = rest.map((line) => line.map(({ text }) => piece(text, style)));
	return [pieces.filter(({ text }) => text !== ""), ...below];
}

interface LineLook {
	lead?: string;
	style: Style;
}
interface LayOptions extends LineLook {
	max: number;
}
type Lay = (text: string, options: LayOptions) => Piece[][];

const INDENT = "  ";

function layouter(columns: number | undefined): Lay {
	return (text, { max, lead = "", style }) => {
		if (text === "") return [];
		if (columns === undefined) return [[piece(lead + text, style)]];
		const indent = lead === "" ? "" : INDENT;
		return wrap(lead + text, { columns, indent, max }).map((line) => [piece(line, style)]);
	};
}

/** Text that is too long ends after the last whole sentence that fits or, if there is none, with "…". */
function wrap(text: string, options: WrapOptions & { columns: number; max: number }): string[] {
	const { max, columns } = options;
	if (max === 1) return [clipColumns(text, columns)];
	const lines = wrapColumns(text, options);
	// A truncated sentence is better than none. Only text without a symbol before it, such as a model's sentences, is cut at the end of a
	// sentence.
	if (options.indent !== "" || !lines.at(-1)?.endsWith("…") || text.endsWith("…")) return lines;
	// Wrapped lines are rarely full, so less text fits than there are columns.
	const room = Math.floor(columns * (max - 0.5));
	const sentences = clipSentence(text, room);
	const whole = wrapColumns(sentences, { ...options, max: max + 1 });
	return sentences !== clipColumns(text, room) && whole.length <= max ? whole : lines;
}

export type CardKeys = Pick<ShortcutKeys, "next" | "card">;

export function hintsOf(
	open: readonly string[],
	{ next: [next], card: [hide] }: CardKeys,
): readonly string[] {
	if (next === undefined && hide === undefined) return [COMMANDS];
	const continues = `${next ?? CONTINUE} to continue`;
	const hides = `${hide ?? HIDE} to hide this`;
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
