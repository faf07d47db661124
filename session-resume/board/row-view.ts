import {
	lookOf,
	noteOf,
	OVERLAPPING,
	PLANTED_MARK,
	projectOf,
	type StateLook,
} from "../../session-core/sessions/index.ts";
import { SHORT_AGE_COLUMNS, shortAge } from "../../session-core/text/index.ts";
import { clipStart, cutPiece, fill, fitRow, type Piece, piece, widthOf } from "../pieces.ts";
import type { Board } from "./board.ts";
import type { ListItem } from "./list.ts";
import type { Row } from "./rows.ts";

export interface ListView {
	board: Pick<Board, "list" | "overlapsOf">;
	width: number;
	now: number;
	/** The widest title and note on the screen. Columns that one of them leaves free go to the other. */
	widest: { title: number; note: number };
}

export const PINNED = piece("★ ", "accent");
export const FORK = piece("↳ ", "dim");
export const OVERLAP = piece(`${OVERLAPPING} `, "warning");
export const TWICE = piece("×2 ", "error");

/** Columns of the cursor and the symbol. */
const LEFT = 4;
/** Columns for symbols before a title. */
const BEFORE = 6;
const AGE = SHORT_AGE_COLUMNS + 1;
/** Minimum number of columns between the symbol and the age for the project to be shown. `NOTE_FROM`: for the note to be shown. */
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
	// On the background of the chosen row, faint text is hard to read.
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
	const { board, width, widest } = view;
	const [glyph, ...pin] = glyphs(row, view);
	// Symbols before the title take their columns from the title, so that the columns after it are aligned.
	const before = [
		...(row.openIn > 1 ? [TWICE] : []),
		...pin,
		...(board.overlapsOf(row).length > 0 ? [OVERLAP] : []),
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

/** Returns the end of a row (the age and, in a list of all projects, the folder), and the number of columns that remain for the rest. */
function columnsOf(row: Row, { board, width, now }: ListView): { room: number; end: Piece[] } {
	const age = piece(shortAge(row.modified, now).padStart(AGE), "dim");
	const inner = Math.max(0, width - LEFT - widthOf([age]));
	if (board.list.scope !== "all" || inner < PROJECT_FROM) return { room: inner, end: [age] };
	const project = Math.min(PROJECT_MAX, Math.max(PROJECT_MIN, Math.floor(inner * 0.25)));
	const folder = fill(clipStart(projectOf(row.cwd), project), project, "dim");
	return { room: inner - project - 2, end: [piece("  "), folder, age] };
}

function glyphs(row: Row, { board }: ListView): [Piece, ...Piece[]] {
	const pins = board.list.marks.pinned.has(row.mark) ? [PINNED] : [];
	const state = stateGlyph(row);
	return state ? [state, ...pins] : [pins[0] ?? piece("  ")];
}

/** Undefined if the session is closed and neither asked anything nor failed. */
export function stateGlyph(row: Row): Piece | undefined {
	const look = lookOf(row);
	return look.glyph === " " ? undefined : glyphOf(look);
}

/** The label of another agent's session, or of a session whose file a repository could have contained. */
function markPieces({ format, planted }: Row): Piece[] {
	const mark = planted ? PLANTED_MARK : format.mark;
	return mark === "" ? [] : [piece(`${mark}  `, planted ? "warning" : "muted")];
}

/** Unless the list is sorted by thread, a symbol marks forks, because a fork often has its parent's title. */
function forkPieces({ kind }: Row, branch: string | undefined, { board, width }: ListView): Piece[] {
	// Deep in the tree, the tree lines are cut off, because the title needs the space and is more useful than the fork's position.
	if (branch !== undefined) return [cutPiece(branch, Math.floor(width / 3), "dim")];
	return kind === "fork" && board.list.sort !== "threads" && width >= FORK_FROM ? [FORK] : [];
}

/** Returns the title in exactly this many columns, followed by the dimmed topic if the topic has moved on from the name. */
function titlePieces(row: Row, columns: number, { board }: ListView): Piece[] {
	// A name that a person chose is bold, so that it can be told apart from an automatic title without losing contrast.
	const own = row.titleSource === "manual" ? "strong" : "plain";
	const style = row.path === board.list.openPath ? "accent" : own;
	const left = columns - widthOf([piece(row.title)]);
	if (row.topic === "" || left < LEAST_TOPIC) return [fill(row.title, columns, style)];
	return [piece(row.title, style), fill(` · ${row.topic}`, left, "dim")];
}

export function widestIn(rows: readonly Row[]): ListView["widest"] {
	const titleOf = ({ title, topic }: Row) => piece(topic === "" ? title : `${title} · ${topic}`);
	return {
		title: Math.max(0, ...rows.map((row) => widthOf([...markPieces(row), titleOf(row)]))),
		note: Math.max(0, ...rows.map((row) => widthOf([notePiece(row) ?? piece("")]))),
	};
}

function notePiece(row: Row): Piece | undefined {
	const note = noteOf(row);
	return note && piece((note.kind === "next" ? "→ " : "") + note.text, note.color);
}
