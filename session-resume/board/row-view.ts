import {
	lookOf,
	noteOf,
	OVERLAPPING,
	PLANTED_MARK,
	type StateLook,
} from "../../session-core/sessions/index.ts";
import { SHORT_AGE_COLUMNS, shortAge } from "../../session-core/text/index.ts";
import { clipStart, cutPiece, fill, fitRow, type Piece, piece, widthOf } from "../pieces.ts";
import { type List, type ListItem, newTopicOf, openIn, type Row } from "./list.ts";

export interface ListView {
	list: Pick<List, "scope" | "sort" | "marks" | "openPath" | "live">;
	width: number;
	now: number;
	widest: { title: number; note: number };
}

export const PINNED = piece("★ ", "accent");
export const FORK = piece("↳ ", "dim");
export const OVERLAP = piece(`${OVERLAPPING} `, "warning");
export const TWICE = piece("×2 ", "error");

const LEFT = 4;
const BEFORE = 6;
const AGE = SHORT_AGE_COLUMNS + 1;
const PROJECT_FROM = 36;
const NOTE_FROM = 46;
const MARK_FROM = 40;
const FORK_FROM = 16;
const PROJECT_MIN = 12;
const PROJECT_MAX = 26;
const LEAST_TOPIC = 12;

const FAINT: ReadonlySet<Piece["style"]> = new Set(["dim", "muted"]);

export function glyphOf({ glyph, color }: StateLook): Piece {
	return piece(`${glyph} `, color);
}

export function itemLine(item: ListItem, isChosen: boolean, view: ListView): Piece[] {
	const cursor = piece(isChosen ? "› " : "  ", "accent");
	const line = fitRow([cursor, ...contentOf(item, view)], view.width);
	// Faint text would be hard to read on the highlighted row's background.
	return isChosen ? line.map((part) => (FAINT.has(part.style) ? piece(part.text) : part)) : line;
}

function contentOf(item: ListItem, view: ListView): Piece[] {
	switch (item.type) {
		case "session":
			return sessionLine(item, view);
		case "hit":
			return hitLine(item, view);
		case "fold": {
			const kind = item.kind === "archived" ? "archived" : "headless or child";
			const text = `${item.count} ${kind} session${item.count === 1 ? "" : "s"}`;
			return [piece(`${item.open ? "▾" : "▸"} ${text}`, "muted")];
		}
		case "search":
			return [piece(`⌕ Search all messages for “${item.query}”`, "accent")];
	}
}

function sessionLine({ row, branch }: Extract<ListItem, { type: "session" }>, view: ListView): Piece[] {
	const { width, widest } = view;
	const [glyph, ...pin] = glyphs(row, view);
	const before = [
		...(openIn(row, view.list.live) > 1 ? [TWICE] : []),
		...pin,
		...(row.overlaps.length > 0 ? [OVERLAP] : []),
		...forkPieces(row, branch, view),
		...(width >= MARK_FROM ? markPieces(row) : []),
	];
	const { room, end } = columnsOf(row, view);
	const note = notePiece(row);
	const most = Math.max(Math.floor(room * 0.42), room - widest.title - BEFORE);
	const noteWidth = note && room >= NOTE_FROM ? Math.min(widest.note, most) : 0;
	const noted = note && noteWidth > 0 ? [piece("  "), fill(note.text, noteWidth, note.style)] : [];
	const title = Math.max(0, room - widthOf([...before, ...noted]));
	return [glyph, ...before, ...titlePieces(row, title, view), ...noted, ...end];
}

function hitLine({ hit, row }: Extract<ListItem, { type: "hit" }>, view: ListView): Piece[] {
	const [glyph, ...pin] = glyphs(row, view);
	const { room, end } = columnsOf(row, view);
	const title = room < 40 ? 0 : Math.floor(room * 0.3);
	const head = title > 0 ? [...pin, ...titlePieces(row, title - widthOf(pin), view), piece("  ")] : [];
	const text = `${hit.by === "user" ? "you: " : ""}${hit.excerpt}`;
	return [glyph, ...head, fill(text, room - widthOf(head)), ...end];
}

function columnsOf(row: Row, { list, width, now }: ListView): { room: number; end: Piece[] } {
	const age = piece(shortAge(row.modified, now).padStart(AGE), "dim");
	const inner = Math.max(0, width - LEFT - widthOf([age]));
	if (list.scope !== "all" || inner < PROJECT_FROM) return { room: inner, end: [age] };
	const project = Math.min(PROJECT_MAX, Math.max(PROJECT_MIN, Math.floor(inner * 0.25)));
	const folder = fill(clipStart(row.project, project), project, "dim");
	return { room: inner - project - 2, end: [piece("  "), folder, age] };
}

function glyphs(row: Row, { list }: ListView): [Piece, ...Piece[]] {
	const pins = list.marks.pinned.has(row.mark) ? [PINNED] : [];
	const state = stateGlyph(row);
	return state ? [state, ...pins] : [pins[0] ?? piece("  ")];
}

export function stateGlyph(row: Row): Piece | undefined {
	const look = lookOf(row);
	return look.glyph === " " ? undefined : glyphOf(look);
}

function markPieces({ format, planted }: Row): Piece[] {
	const mark = planted ? PLANTED_MARK : format.mark;
	return mark === "" ? [] : [piece(`${mark}  `, planted ? "warning" : "muted")];
}

/**
 * A symbol marks each fork, because a fork often has the same title as its parent. If the list is
 * sorted by thread, tree lines mark the forks instead.
 */
function forkPieces({ kind }: Row, branch: string | undefined, { list, width }: ListView): Piece[] {
	if (branch !== undefined) return [cutPiece(branch, Math.floor(width / 3), "dim")];
	return kind === "fork" && list.sort !== "threads" && width >= FORK_FROM ? [FORK] : [];
}

function titlePieces(row: Row, columns: number, { list }: ListView): Piece[] {
	const own = row.titleSource === "manual" ? "strong" : "plain";
	const style = row.path === list.openPath ? "accent" : own;
	const left = columns - widthOf([piece(row.title)]);
	const topic = newTopicOf(row);
	if (topic === "" || left < LEAST_TOPIC) return [fill(row.title, columns, style)];
	return [piece(row.title, style), fill(` · ${topic}`, left, "dim")];
}

export function widestIn(rows: readonly Row[]): ListView["widest"] {
	const titleOf = (row: Row) => piece([row.title, newTopicOf(row)].filter(Boolean).join(" · "));
	return {
		title: Math.max(0, ...rows.map((row) => widthOf([...markPieces(row), titleOf(row)]))),
		note: Math.max(0, ...rows.map((row) => widthOf([notePiece(row) ?? piece("")]))),
	};
}

function notePiece(row: Row): Piece | undefined {
	const note = noteOf(row);
	return note && piece((note.kind === "next" ? "→ " : "") + note.text, note.color);
}
