import { displayWidth } from "../../session-core/terminal/columns.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import type { BoardWords } from "../../session-core/words/words.ts";
import { hintLine, transcriptHints } from "./hints.ts";
import { rowOfItem } from "./items.ts";
import { keyLines } from "./keys-view.ts";
import { type Layout, layoutOf } from "./layout.ts";
import { emptyText, itemLine, type ListView } from "./list.ts";
import { previewLines } from "./preview.ts";
import { questionLines } from "./question-view.ts";
import { type Paint, painted, type Span, span, row as spanRow } from "./spans.ts";
import type { Board, BoardKey, Sort } from "./types.ts";

export interface BoardView {
	/** So many lines of the transcript that is read. */
	transcript?: (lines: number) => string[];
	width: number;
	height: number;
	now: number;
	/** The input line as it is edited, cursor included. */
	input: string;
	/** The keys as the user has bound them: `ctrl+o`. */
	keys: Readonly<Record<BoardKey, string>>;
}

/** The board as lines: always as many as the height, none wider than the width. Pure. */
export function boardLines(board: Board, view: BoardView, paint: Paint): string[] {
	const layout = layoutOf(view.width, view.height);
	const header = painted(headerLine(board, view.width), paint);
	if (board.mode.type === "question") {
		const body = questionLines(board.mode, { ...view, words: board.words.board });
		return fitted([header, ...body.map((line) => painted(line, paint))], view.height);
	}
	if (board.mode.type === "keys") {
		const body = keyLines({ ...board, mode: { type: "list" } }, view);
		return fitted([header, "", ...body.map((line) => painted(line, paint))], view.height);
	}
	if (board.mode.type === "transcript") {
		const title = chosenTitle(board);
		const lines = view.transcript?.(Math.max(1, view.height - (layout.ruled ? 3 : 2))) ?? [];
		const head = painted(spanRow([span(` ${title}`, "strong")], view.width), paint);
		const foot = painted(transcriptHints(board, view), paint);
		return fitted(
			[...fitted([head, ...ruleIf(layout.ruled, view.width, paint), ...lines], view.height - 1), foot],
			view.height,
		);
	}
	const body = listLines(board, layout, view, paint);
	const hint = painted(hintLine(board, view), paint);
	const lines = [header, view.input, ...ruleIf(layout.ruled, view.width, paint), ...body];
	return fitted([...fitted(lines, view.height - 1), hint], view.height);
}

function chosenTitle({ items, cursor }: Board): string {
	return rowOfItem(items[cursor])?.title ?? "";
}

/** How many lines the list has in a terminal of this size. */
export function pageOf(width: number, height: number): number {
	return layoutOf(width, height).list;
}

function listLines(board: Board, layout: Layout, view: BoardView, paint: Paint): string[] {
	const { preview, list, listWidth } = layout;
	const listed: ListView = {
		width: listWidth,
		now: view.now,
		live: board.live,
		showProject: board.scope === "all",
		currentPath: board.current.path,
		showPath: board.showPath,
		marks: board.marks,
		words: board.words,
	};
	const lines = Array.from({ length: list }, (_, line) => {
		const index = board.top + line;
		const item = board.items[index];
		if (!item) return painted(spanRow(line === 0 ? emptyLine(board, view) : [], listWidth), paint);
		const isChosen = index === board.cursor;
		const text = painted(itemLine(item, isChosen, listed), paint);
		return isChosen ? paint.chosen(text) : text;
	});
	if (!preview) return lines;
	const card = previewLines(board, preview, view.now).map((line) => painted(line, paint));
	if (preview.at === "below") return [...lines, ...ruleIf(true, view.width, paint), ...card];
	const bar = ` ${paint.style("dim", "│")} `;
	return lines.map((line, index) => line + bar + (card[index] ?? ""));
}

function emptyLine(board: Board, view: BoardView): Span[] {
	return board.items.length > 0 ? [] : [span(`  ${emptyText(board, view.keys.scope)}`, "muted")];
}

function headerLine(board: Board, width: number): Span[] {
	const words = board.words.board;
	const scopes = scopeSpans(board, [width < 60 ? words.here : words.thisProject, words.all]);
	const status = statusText(board);
	const left = [
		span(` ${words.heading}`, "strong"),
		...(status === "" ? [] : [span(`  ${status}`, "muted")]),
	];
	const room = width - widthOf(scopes) - 1;
	if (room < 12) return spanRow(left, width);
	return [...spanRow(left, room), ...spanRow(scopes, width - room)];
}

function scopeSpans({ scope }: Board, [project, all]: [string, string]): Span[] {
	const one = (label: string, isChosen: boolean) =>
		span(`${isChosen ? "◉" : "○"} ${label}`, isChosen ? "accent" : "muted");
	return [one(project, scope === "project"), span("  "), one(all, scope === "all")];
}

/** How the header names an order; the one that the board opens with needs no word. */
const SORTED = {
	newest: "newestFirst",
	threads: "threads",
	name: "byName",
	project: "byProject",
} as const satisfies Readonly<Record<Exclude<Sort, "needs_you">, keyof BoardWords>>;

/** How many there are, and whether that is all. */
function statusText(board: Board): string {
	const { search, scope, scan, sort } = board;
	const words = board.words.board;
	if (search) {
		const found = words.found(search.hits.length, cleanLine(search.query));
		return search.running
			? words.searchedSoFar(found, search.searched)
			: words.searchedAll(found, search.searched);
	}
	const count = scan[scope] === "done" ? String(board.count) : `${board.count} …`;
	return [count, sort === "needs_you" ? "" : words[SORTED[sort]], board.namedOnly ? words.namedOnly : ""]
		.filter(Boolean)
		.join(" · ");
}

function ruleIf(wanted: boolean, width: number, paint: Paint): string[] {
	return wanted ? [paint.style("dim", "─".repeat(width))] : [];
}

/** Exactly this many lines. */
function fitted(lines: readonly string[], height: number): string[] {
	return Array.from({ length: Math.max(0, height) }, (_, index) => lines[index] ?? "");
}

function widthOf(spans: readonly Span[]): number {
	return spans.reduce((sum, { text }) => sum + displayWidth(text), 0);
}
