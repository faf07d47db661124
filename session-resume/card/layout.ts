import { hostColumns, type ShortcutKeys } from "../../session-core/pi/index.ts";
import { OUTCOME_COLORS } from "../../session-core/sessions/index.ts";
import { type Piece, piece, type Style } from "../pieces.ts";
import type { CardContent } from "./content.ts";

const { clipColumns, clipSentence, displayWidth, wrapColumns } = hostColumns;

/** pi cuts off a widget that has more than ten lines. */
export const MAX_LINES = 10;

const CONTINUE = "/resume-here";
const HIDE = "/recap-card clear";
const COMMANDS = `${CONTINUE} to continue · ${HIDE} to hide this`;
const GLYPH = "▤";
const HEAD = `${GLYPH} session card`;
const INDENT = "  ";

interface Block {
	rank: number;
	most: number;
	lines(max: number): Piece[][];
}

export interface CardSize {
	/**
	 * If `columns` is undefined, each block is a single line, because the client wraps the lines itself.
	 */
	columns?: number | undefined;
	rows?: number;
	/**
	 * Versions of the card's last line, from longest to shortest. By default, the only version lists the
	 * card's commands.
	 */
	hints?: readonly string[];
}

/** Blocks that require a response from the user are laid out first, so they are shown in full. */
const [QUESTION, CHOICES, FULL] = [0.01, 0.02, 1];
const LAST = 100;

export function layCard(
	view: CardContent,
	{ columns, rows = MAX_LINES, hints = [COMMANDS] }: CardSize = {},
): Piece[][] {
	const hint = hints.find((one) => displayWidth(one) <= (columns ?? displayWidth(one))) ?? hints.at(-1) ?? "";
	const blocks = blocksOf(view, hint, columns);
	const shown = new Map<Block, Piece[][]>();
	let left = Math.max(1, Math.min(rows, MAX_LINES));
	const lay = (block: Block, max: number) => {
		const lines = max > 0 ? block.lines(max) : [];
		left += (shown.get(block)?.length ?? 0) - lines.length;
		shown.set(block, lines);
	};
	const add = (isAdded: (rank: number) => boolean) => {
		const added = blocks.filter(({ rank }) => isAdded(rank)).toSorted((a, b) => a.rank - b.rank);
		for (const block of added) lay(block, Math.min(left, 1));
		// Spare lines on a card go first to the last blocks, which contain the agent's replies.
		for (const block of added.toReversed()) {
			const before = shown.get(block)?.length ?? 0;
			if (before > 0) lay(block, Math.min(block.most, before + left));
		}
	};
	// A question may fill most of the card, but up to four lines are reserved for other content.
	const kept = Math.min(4, Math.floor(left / 2));
	left -= kept;
	add((rank) => rank <= CHOICES);
	left += kept;
	add((rank) => rank > CHOICES && rank < FULL);
	add((rank) => rank >= FULL && rank < LAST);
	add((rank) => rank === LAST);
	return blocks.flatMap((block) => shown.get(block) ?? []);
}

const BULLET_LINES = 4;

function blocksOf(view: CardContent, hint: string, columns: number | undefined): Block[] {
	const { isNote, waits } = view;
	const lay = layouter(columns);
	const block = (rank: number, most: number, text: string, style: Style, lead = ""): Block => ({
		rank,
		most,
		lines: (max) => lay(text, { max, style, lead }),
	});
	const bullet = (text: string, index: number) => {
		if (index >= (view.choices ?? Number.POSITIVE_INFINITY))
			return block(CHOICES, MAX_LINES, text, "plain", "· ");
		return block(index === 0 && !isNote ? FULL : 3 + index, BULLET_LINES, text, "plain", "· ");
	};
	const [first = "", ...others] = view.next;
	return [
		{ rank: 0.3, most: 2, lines: (max) => headerLines(view, lay, max) },
		{ rank: 0.6, most: 1, lines: (max) => titleLines(view, lay, max) },
		block(0.2, isNote ? 4 : 2, view.headline, isNote ? "plain" : "strong"),
		...view.bullets.map(bullet),
		waits
			? block(QUESTION, MAX_LINES, first, OUTCOME_COLORS.waiting, "→ ")
			: block(0.1, 2, first, "accent", "→ "),
		...others.map((text, index) => block(3.5 + index, 2, text, "plain", INDENT)),
		block(LAST, 1, view.artifacts, "dim"),
		block(0.5, 1, view.repository, "dim"),
		block(1.5, 1, view.fresh, "dim"),
		block(0.4, 1, hint, "dim"),
	];
}

function titleLines({ title, topic }: CardContent, lay: Lay, max: number): Piece[][] {
	const [line] = lay(topic === "" ? title : `${title} · ${topic}`, { max, style: "strong" });
	const text = line?.[0]?.text ?? "";
	return text === "" ? [] : [split(text, [title.length], ["strong", "dim"])];
}

function headerLines({ state, outcome, offline }: CardContent, lay: Lay, max: number): Piece[][] {
	const text = [HEAD.slice(GLYPH.length + 1), state].filter(Boolean).join("  ");
	const [first, ...rest] = lay(text, { max, lead: `${GLYPH} `, style: "dim" });
	const line = first?.[0]?.text ?? "";
	if (!line.startsWith(HEAD)) return [[piece(line, "title")], ...rest];
	const { text: end, color } = outcome;
	const at = end !== "" && line.endsWith(end) ? line.length - end.length : line.length;
	const styles = [offline ? "dim" : "title", "title", "dim", color] as const;
	const below = rest.map((pieces) => pieces.map((one) => piece(one.text, color)));
	return [split(line, [GLYPH.length, HEAD.length, Math.max(at, HEAD.length)], styles), ...below];
}

function split(line: string, places: readonly number[], styles: readonly Style[]): Piece[] {
	const pieces = styles.map((style, index) =>
		piece(line.slice(places[index - 1] ?? 0, places[index]), style),
	);
	return pieces.filter(({ text }) => text !== "");
}

type Lay = (text: string, options: { max: number; style: Style; lead?: string }) => Piece[][];

function layouter(columns: number | undefined): Lay {
	return (text, { max, lead = "", style }) => {
		if (text === "") return [];
		if (columns === undefined) return [[piece(lead + text, style)]];
		const lines = lead === "" ? wrapText(text, columns, max) : wrapBullet(lead + text, columns, max);
		return lines.map((line) => [piece(line, style)]);
	};
}

function wrapBullet(text: string, columns: number, max: number): string[] {
	return max === 1 ? [clipColumns(text, columns)] : wrapColumns(text, { columns, indent: INDENT, max });
}

function wrapText(text: string, columns: number, max: number): string[] {
	if (max === 1) return [clipColumns(text, columns)];
	const lines = wrapColumns(text, { columns, indent: "", max });
	if (!lines.at(-1)?.endsWith("…") || text.endsWith("…")) return lines;
	// Wrapped lines are rarely full, so less text fits than the number of columns suggests.
	const room = Math.floor(columns * (max - 0.5));
	const sentences = clipSentence(text, room);
	const whole = wrapColumns(sentences, { columns, indent: "", max: max + 1 });
	return sentences !== clipColumns(text, room) && whole.length <= max ? whole : lines;
}

export type CardKeys = Pick<ShortcutKeys, "next" | "card">;

/**
 * Returns hints from longest to shortest. Programs cannot press keys, so hints for programs name
 * commands instead of keys.
 */
export function hintsOf(
	open: readonly string[],
	{ next: [next], card: [hide] }: CardKeys,
): readonly string[] {
	if (next === undefined && hide === undefined) return [COMMANDS];
	const continues = `${next ?? CONTINUE} to continue`;
	const hides = `${hide ?? HIDE} to hide this`;
	const named = (text: string, key: string | undefined, command: string) =>
		key === undefined ? text : `${text} (${command})`;
	const hidesNamed = named(hides, hide, HIDE);
	if (open.length === 0) return [hidesNamed, hides, hide ?? HIDE];
	const short = [next ?? CONTINUE, hide].filter((it) => it !== undefined);
	return [
		`${named(continues, next, CONTINUE)} · ${hidesNamed}`,
		`${continues} · ${hides}`,
		short.join(" · "),
	];
}
