import { fitRow, type Piece, type PiecePainter, painted, piece, widthOf, wrappedPieces } from "../pieces.ts";
import type { Board, Mode } from "./board.ts";
import { type HelpView, hintLines } from "./help.ts";
import { previewLines } from "./preview.ts";
import { itemLine, widestIn } from "./row-view.ts";

export interface BoardView extends HelpView {
	height: number;
	now: number;
	input: string;
	pane?: (lines: number) => string[];
}

/** Returns exactly `height` lines, each of which is at most `width` columns wide. */
export function boardLines(board: Board, view: BoardView, paint: PiecePainter): string[] {
	const hints = hintLines(board, view).map((line) => painted(line, paint));
	const lines = [painted(headerLine(board, view.width), paint), ...bodyOf(board, view, paint)];
	const room = Math.max(0, view.height - hints.length);
	return [...Array.from({ length: room }, (_, index) => lines[index] ?? ""), ...hints];
}

function bodyOf(board: Board, view: BoardView, paint: PiecePainter): string[] {
	const { width, height, input, now } = view;
	const { mode } = board;
	const layout = layoutOf(width, height);
	const rule = layout.ruled ? [paint.style("dim", "─".repeat(width))] : [];
	const paintAll = (lines: Piece[][]) => lines.map((line) => painted(line, paint));
	switch (mode.type) {
		case "question":
			return paintAll(questionLines(mode, view));
		case "help":
		case "transcript":
			return [...rule, ...(view.pane?.(Math.max(1, height - (layout.ruled ? 3 : 2))) ?? [])];
		default: {
			const lines =
				mode.type === "answer" && !layout.preview
					? paintAll(previewLines(board.list, board.preview, { width, lines: layout.list, now }))
					: listLines(board, layout, view, paint);
			return [input, ...rule, ...lines];
		}
	}
}

export function listHeight(width: number, height: number): number {
	return layoutOf(width, height).list;
}

interface Layout {
	list: number;
	listWidth: number;
	ruled: boolean;
	preview?: { isBeside: boolean; width: number; lines: number };
}

const FIXED = 3;
const BESIDE_FROM = 120;
const BELOW_FROM = 20;
const RULED_FROM = 12;

function layoutOf(width: number, height: number): Layout {
	const ruled = height >= RULED_FROM;
	const room = Math.max(1, height - FIXED - (ruled ? 1 : 0));
	if (ruled && width >= BESIDE_FROM) {
		const beside = Math.min(90, Math.floor(width * 0.4));
		const preview = { isBeside: true, width: beside, lines: room };
		return { ruled, list: room, listWidth: width - beside - 3, preview };
	}
	if (height < BELOW_FROM) return { ruled, list: room, listWidth: width };
	const lines = Math.min(11, Math.floor(height * 0.36));
	return { ruled, list: room - lines - 1, listWidth: width, preview: { isBeside: false, width, lines } };
}

function listLines(board: Board, layout: Layout, view: BoardView, paint: PiecePainter): string[] {
	const { preview, list: count, listWidth: width } = layout;
	const { items, top, cursor } = board.list;
	const visible = items.slice(top, top + count);
	const widest = widestIn(visible.flatMap((item) => ("row" in item ? item.row : [])));
	const lines = Array.from({ length: count }, (_, index) => {
		const item = visible[index];
		if (!item) {
			const empty = index === 0 ? [piece(`  ${emptyText(board, view.keys.scope)}`, "muted")] : [];
			return painted(fitRow(empty, width), paint);
		}
		const isChosen = top + index === cursor;
		const pieces = itemLine(item, isChosen, { list: board.list, width, now: view.now, widest });
		return isChosen ? paint.chosen(pieces) : painted(pieces, paint);
	});
	if (!preview) return lines;
	const card = previewLines(board.list, board.preview, { ...preview, now: view.now }).map((line) =>
		painted(line, paint),
	);
	if (!preview.isBeside) return [...lines, paint.style("dim", "─".repeat(view.width)), ...card];
	const bar = ` ${paint.style("dim", "│")} `;
	return lines.map((line, index) => line + bar + (card[index] ?? ""));
}

function emptyText({ list, scan }: Board, scopeKey: string): string {
	if (list.search) return list.search.running ? "Searching…" : "No messages match your search.";
	if (scan[list.scope] !== "done") return "Loading sessions…";
	if (list.query.trim() !== "") return "No session matches this filter.";
	return list.scope === "all"
		? "No sessions yet."
		: `No sessions in this project yet. Press ${scopeKey} to list all sessions.`;
}

function questionLines(
	{ text, labels, cursor }: Extract<Mode, { type: "question" }>,
	{ width, height }: BoardView,
): Piece[][] {
	const choices = labels.map((label, index) => {
		const isChosen = index === cursor;
		return [piece(isChosen ? " › " : "   ", "accent"), piece(label, isChosen ? "accent" : "plain")];
	});
	const blank = height >= 12 ? [[]] : [];
	const room = Math.max(1, height - 2 - choices.length - 3 * blank.length);
	const question = wrappedPieces(text, width - 2).slice(0, room);
	const lines = question.map((line) => [piece(" "), ...line]);
	return [...blank, ...lines, ...blank, ...choices, ...blank].map((line) => fitRow(line, width));
}

function headerLine(board: Board, width: number): Piece[] {
	const { mode } = board;
	const titled = (text: string) => fitRow([piece(` ${text}`, "strong")], width);
	if (mode.type === "answer") return titled(`Your answer to “${mode.row.title}”`);
	if (mode.type === "rename") return titled(`New name for “${mode.row.title}”`);
	if (mode.type === "transcript") return titled(mode.row.title);
	const isAll = board.list.scope === "all";
	const scope = (label: string, isChosen: boolean) =>
		piece(`${isChosen ? "◉" : "○"} ${label}`, isChosen ? "accent" : "muted");
	const scopes = [scope(width < 60 ? "Here" : "This project", !isAll), piece("  "), scope("All", isAll)];
	const left = [piece(" Sessions", "strong"), piece(`  ${statusText(board)}`, "muted")];
	const room = width - widthOf(scopes) - 1;
	if (room < 12) return fitRow(left, width);
	return [...fitRow(left, room), ...fitRow(scopes, width - room)];
}

const SORTED: Readonly<Record<Board["list"]["sort"], string>> = {
	urgency: "",
	newest: " · newest first",
	threads: " · threads",
	name: " · by name",
	project: " · by project",
};

function statusText({ list: { search, count, scope, sort }, scan }: Board): string {
	if (!search) return (scan[scope] === "done" ? `${count}` : `${count}…`) + SORTED[sort];
	const found = `${search.hits.length} found for “${search.query}”`;
	return search.running ? `${found}, ${search.searched} searched…` : `${found} in ${search.searched}`;
}
