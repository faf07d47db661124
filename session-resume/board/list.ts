import type { LeaseState } from "../../session-core/store/lease.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { ageOf } from "./age.ts";
import { liveStateOf } from "./order.ts";
import { projectOf } from "./row.ts";
import { clipStart, fill, fillLeft, type Span, type Style, span, row as spanRow } from "./spans.ts";
import type { Board, Item, LiveState, Row, TitleSource } from "./types.ts";

export interface ListView {
	width: number;
	now: number;
	live: readonly LiveState[];
	/** Say which project a session belongs to. */
	showProject: boolean;
	currentPath: string | undefined;
}

/** State glyphs differ in shape, not only in colour. */
const GLYPHS: Readonly<Record<LeaseState, { glyph: string; style: Style }>> = {
	needs_you: { glyph: "◆", style: "warning" },
	failed: { glyph: "✗", style: "error" },
	working: { glyph: "●", style: "accent" },
	idle: { glyph: "○", style: "success" },
};

const TITLE_STYLES: Readonly<Record<TitleSource, Style>> = {
	manual: "plain",
	auto: "dim",
	prompt: "muted",
	none: "dim",
};

/** Cursor and glyph; the age and the space before it. */
const LEFT = 4;
const RIGHT = 5;
/** Room for the title from which there is also some for the project and for what is next. */
const PROJECT_FROM = 50;
const NOTE_FROM = 56;

/** One line of the list, in exactly the view's width. */
export function itemLine(item: Item, isChosen: boolean, view: ListView): Span[] {
	const mark = isChosen ? span("› ", "accent") : span("  ");
	return spanRow([mark, ...contentOf(item, view)], view.width);
}

/** How a live state looks. */
export function glyphOf(state: LeaseState): Span {
	const { glyph, style } = GLYPHS[state];
	return span(glyph, style);
}

function contentOf(item: Item, view: ListView): Span[] {
	switch (item.type) {
		case "session":
			return sessionLine(item.row, view);
		case "hit":
			return hitLine(item, view);
		case "fold":
			return [
				span(item.open ? "▾ " : "▸ ", "muted"),
				span(`… ${item.count} more: headless and child sessions`, "muted"),
			];
		case "search":
			return [span("⌕ ", "accent"), span(`Search everything said for “${cleanLine(item.query)}”`, "accent")];
	}
}

function sessionLine(row: Row, view: ListView): Span[] {
	const inner = Math.max(0, view.width - LEFT - RIGHT);
	const project = view.showProject && inner >= PROJECT_FROM ? Math.min(26, Math.floor(inner * 0.25)) : 0;
	const rest = inner - (project > 0 ? project + 2 : 0);
	const live = liveStateOf(view.live, row);
	const note = noteOf(row, live);
	const noteWidth = note && rest >= NOTE_FROM ? Math.floor(rest * 0.42) : 0;
	const spans = [glyph(live), titleSpan(row, rest - (noteWidth > 0 ? noteWidth + 2 : 0), view)];
	if (note && noteWidth > 0) spans.push(span("  "), fill(note.text, noteWidth, note.style));
	if (project > 0) spans.push(span("  "), fill(clipStart(projectOf(row.cwd), project), project, "muted"));
	return [...spans, fillLeft(ageOf(row.modified, view.now), RIGHT, "dim")];
}

function hitLine({ hit, row }: Extract<Item, { type: "hit" }>, view: ListView): Span[] {
	const inner = Math.max(0, view.width - LEFT - RIGHT);
	const title = inner < 40 ? 0 : Math.floor(inner * 0.3);
	const said = fill(`${hit.by === "user" ? "you: " : ""}${hit.excerpt}`, inner - (title > 0 ? title + 2 : 0));
	const head = title > 0 ? [titleSpan(row, title, view), span("  ")] : [];
	const age = fillLeft(ageOf(row.modified, view.now), RIGHT, "dim");
	return [glyph(liveStateOf(view.live, row)), ...head, said, age];
}

function titleSpan(row: Row, columns: number, view: ListView): Span {
	const style = row.path === view.currentPath ? "accent" : TITLE_STYLES[row.titleSource];
	return fill(row.title, columns, style);
}

/** What is next, else how it ended; a live session's state says that better. */
function noteOf(
	{ next, ending }: Row,
	live: LiveState | undefined,
): { text: string; style: Style } | undefined {
	if (next !== undefined) return { text: `→ ${next}`, style: "dim" };
	return ending === undefined || live ? undefined : { text: ending, style: "dim" };
}

function glyph(live: LiveState | undefined): Span {
	if (!live) return span("  ");
	const { text, style } = glyphOf(live.state);
	return span(`${text} `, style);
}

/** What an empty list says, and what to do about it. */
export function emptyText(board: Board, scopeKey: string): string {
	if (board.search) return board.search.running ? "Searching …" : "Nobody said that.";
	if (board.scan[board.scope] !== "done") return "Looking for sessions …";
	return board.scope === "all"
		? "No sessions yet."
		: `No sessions in this project yet. ${scopeKey} lists all.`;
}
