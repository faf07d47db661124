import { fitRow, type Piece, type PiecePainter, painted, piece, widthOf, wrappedPieces } from "../pieces.ts";
import { type BoardView, hintLines } from "./help.ts";
import { type BoardState, type Mode, type Row, rowOfItem } from "./list.ts";
import { previewLines } from "./preview.ts";
import { itemLine, type ListView, widestIn } from "./row-view.ts";

/** Renders the board. Returns exactly `height` lines, none of them wider than `width`. Pure. */
export function boardLines(board: BoardState, view: BoardView, paint: PiecePainter): string[] {
	const { width, height } = view;
	const { mode } = board;
	const layout = layoutOf(width, height);
	const rule = layout.ruled ? [paint.style("dim", "─".repeat(width))] : [];
	const paintAll = (lines: Piece[][]) => lines.map((line) => painted(line, paint));
	const header = painted(headerLine(board, width), paint);
	const hints = paintAll(hintLines(board, view));
	const room = height - hints.length;
	switch (mode.type) {
		case "question":
			return [...fitted([header, ...paintAll(questionLines(mode, view))], room), ...hints];
		case "help":
		case "transcript": {
			const lines = view.pane?.(Math.max(1, height - (layout.ruled ? 3 : 2))) ?? [];
			return [...fitted([header, ...rule, ...lines], room), ...hints];
		}
		case "list":
		case "answer":
		case "rename": {
			// If there is no room for a preview, the question replaces the list.
			if (mode.type === "answer" && !layout.preview) {
				const question = paintAll(previewLines(board, { width, lines: layout.list }, view.now));
				return [...fitted([header, view.input, ...rule, ...question], room), ...hints];
			}
			const lines = [header, view.input, ...rule, ...listLines(board, layout, view, paint)];
			return [...fitted(lines, room), ...hints];
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
	preview: { at: "beside" | "below"; width: number; lines: number } | undefined;
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
		// The vertical rule beside the list takes one column, plus one column of space on each side.
		return {
			ruled,
			list: room,
			listWidth: width - beside - 3,
			preview: { at: "beside", width: beside, lines: room },
		};
	}
	if (height >= BELOW_FROM) {
		const lines = Math.min(11, Math.floor(height * 0.36));
		return { ruled, list: room - lines - 1, listWidth: width, preview: { at: "below", width, lines } };
	}
	return { ruled, list: room, listWidth: width, preview: undefined };
}

function listLines(board: BoardState, layout: Layout, view: BoardView, paint: PiecePainter): string[] {
	const { preview, list: count, listWidth } = layout;
	const { list } = board;
	const visible = list.items.slice(list.top, list.top + count).flatMap((item) => rowOfItem(item) ?? []);
	const overlapsOf = (row: Row) => board.overlapsOf(row);
	const widest = widestIn(visible);
	const listed: ListView = { list, overlapsOf, width: listWidth, now: view.now, widest };
	const lines = Array.from({ length: count }, (_, line) => {
		const index = list.top + line;
		const item = list.items[index];
		if (!item) {
			const isFirst = line === 0 && list.items.length === 0;
			const empty = isFirst ? [piece(`  ${emptyText(board, view.keys.scope)}`, "muted")] : [];
			return painted(fitRow(empty, listWidth), paint);
		}
		const isChosen = index === list.cursor;
		const pieces = itemLine(item, isChosen, listed);
		return isChosen ? paint.chosen(pieces) : painted(pieces, paint);
	});
	if (!preview) return lines;
	const card = previewLines(board, preview, view.now).map((line) => painted(line, paint));
	if (preview.at === "below") return [...lines, paint.style("dim", "─".repeat(view.width)), ...card];
	const bar = ` ${paint.style("dim", "│")} `;
	return lines.map((line, index) => line + bar + (card[index] ?? ""));
}

function emptyText({ list, scan }: BoardState, scopeKey: string): string {
	if (list.search) return list.search.running ? "Searching …" : "No messages match.";
	if (scan[list.scope] !== "done") return "Loading sessions …";
	if (list.query.trim() !== "") return "No session matches this filter.";
	return list.scope === "all"
		? "No sessions yet."
		: `No sessions in this project yet. Press ${scopeKey} to list all sessions.`;
}

/** Renders a question. It takes the whole screen below the header, so that it is readable at any size. */
function questionLines(
	{ text, labels, cursor }: Extract<Mode, { type: "question" }>,
	{ width, height }: BoardView,
): Piece[][] {
	const choices = labels.map((label, index) => {
		const isChosen = index === cursor;
		return [piece(isChosen ? " › " : "   ", "accent"), piece(label, isChosen ? "accent" : "plain")];
	});
	const isRoomy = height >= 12;
	const room = Math.max(1, height - 2 - choices.length - (isRoomy ? 3 : 0));
	const lines = wrappedPieces(text, width - 2).slice(0, room);
	const blank = isRoomy ? [[]] : [];
	const question = lines.map((line) => [piece(" "), ...line]);
	return [...blank, ...question, ...blank, ...choices, ...blank].map((line) => fitRow(line, width));
}

function headerLine(board: BoardState, width: number): Piece[] {
	const { mode } = board;
	if (mode.type === "answer") return fitRow([piece(` Your answer to “${mode.row.title}”`, "strong")], width);
	if (mode.type === "rename") return fitRow([piece(` New name for “${mode.row.title}”`, "strong")], width);
	if (mode.type === "transcript") return fitRow([piece(` ${mode.row.title}`, "strong")], width);
	const scope = (label: string, isChosen: boolean) =>
		piece(`${isChosen ? "◉" : "○"} ${label}`, isChosen ? "accent" : "muted");
	const isAll = board.list.scope === "all";
	const scopes = [scope(width < 60 ? "Here" : "This project", !isAll), piece("  "), scope("All", isAll)];
	const left = [piece(" Sessions", "strong"), piece(`  ${statusText(board)}`, "muted")];
	const room = width - widthOf(scopes) - 1;
	if (room < 12) return fitRow(left, width);
	return [...fitRow(left, room), ...fitRow(scopes, width - room)];
}

const SORTED: Readonly<Record<Exclude<BoardState["list"]["sort"], "urgency">, string>> = {
	newest: "newest first",
	threads: "threads",
	name: "by name",
	project: "by project",
};

function statusText({ list, scan }: BoardState): string {
	const { search } = list;
	if (search) {
		const found = `${search.hits.length} found for “${search.query}”`;
		return search.running ? `${found}, ${search.searched} searched …` : `${found} in ${search.searched}`;
	}
	const { count, scope, sort } = list;
	return [scan[scope] === "done" ? String(count) : `${count} …`, sort === "urgency" ? "" : SORTED[sort]]
		.filter(Boolean)
		.join(" · ");
}

function fitted(lines: readonly string[], height: number): string[] {
	return Array.from({ length: Math.max(0, height) }, (_, index) => lines[index] ?? "");
}
