import type { LeaseState } from "../../session-core/store/lease.ts";
import { clipColumns, displayWidth } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { shortAge } from "../../session-core/words/age.ts";
import type { BoardWords, Words } from "../../session-core/words/words.ts";
import { liveStateOf } from "./order.ts";
import { projectOf } from "./row.ts";
import { clipStart, fill, fillLeft, type Span, type Style, span, row as spanRow } from "./spans.ts";
import type { Board, FoldKind, Item, LiveState, Marks, Row, TitleSource } from "./types.ts";

export interface ListView {
	width: number;
	now: number;
	live: readonly LiveState[];
	/** Say which project a session belongs to. */
	showProject: boolean;
	currentPath: string | undefined;
	showPath: boolean;
	marks: Marks;
	words: Words;
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

const FOLDED = {
	background: "folded",
	archived: "foldedArchived",
} as const satisfies Readonly<Record<FoldKind, keyof BoardWords>>;

/** Cursor and glyph; the age and the space before it. */
const LEFT = 4;
const SPACE = 1;
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
			return sessionLine(item, view);
		case "hit":
			return hitLine(item, view);
		case "fold":
			return [
				span(item.open ? "▾ " : "▸ ", "muted"),
				span(`… ${view.words.board[FOLDED[item.kind]](item.count)}`, "muted"),
			];
		case "search":
			return [span("⌕ ", "accent"), span(view.words.board.searchFor(cleanLine(item.query)), "accent")];
	}
}

function sessionLine({ row, branch }: Extract<Item, { type: "session" }>, view: ListView): Span[] {
	// So deep that nothing of the title is left, its place in the tree says less than the title does.
	const tree = branch === undefined ? "" : clipColumns(branch, Math.floor(view.width / 3));
	const inner = Math.max(0, view.width - LEFT - ageColumns(view) - displayWidth(tree));
	const project = view.showProject && inner >= PROJECT_FROM ? Math.min(26, Math.floor(inner * 0.25)) : 0;
	const rest = inner - (project > 0 ? project + 2 : 0);
	const live = liveStateOf(view.live, row);
	const note = view.showPath ? pathNote(row) : noteOf(row, live, view.words);
	const noteWidth = note && rest >= NOTE_FROM ? Math.floor(rest * 0.42) : 0;
	const spans = [
		glyph(row, live, view),
		span(tree, "dim"),
		titleSpan(row, rest - (noteWidth > 0 ? noteWidth + 2 : 0), view),
	];
	if (note && noteWidth > 0) {
		const text = view.showPath ? clipStart(note.text, noteWidth) : note.text;
		spans.push(span("  "), fill(text, noteWidth, note.style));
	}
	if (project > 0) spans.push(span("  "), fill(clipStart(projectOf(row.cwd), project), project, "muted"));
	return [...spans, fillLeft(shortAge(row.modified, view.now, view.words.age), ageColumns(view), "dim")];
}

function hitLine({ hit, row }: Extract<Item, { type: "hit" }>, view: ListView): Span[] {
	const inner = Math.max(0, view.width - LEFT - ageColumns(view));
	const title = inner < 40 ? 0 : Math.floor(inner * 0.3);
	const said = fill(
		`${hit.by === "user" ? view.words.board.you : ""}${hit.excerpt}`,
		inner - (title > 0 ? title + 2 : 0),
	);
	const head = title > 0 ? [titleSpan(row, title, view), span("  ")] : [];
	const age = fillLeft(shortAge(row.modified, view.now, view.words.age), ageColumns(view), "dim");
	return [glyph(row, liveStateOf(view.live, row), view), ...head, said, age];
}

/** The age of a row and the space before it. */
function ageColumns({ words }: ListView): number {
	return words.age.short.columns + SPACE;
}

function titleSpan(row: Row, columns: number, view: ListView): Span {
	const style = row.path === view.currentPath ? "accent" : TITLE_STYLES[row.titleSource];
	return fill(row.title, columns, style);
}

interface Note {
	text: string;
	style: Style;
}

/** That it waits for the user, then what is next, else how it ended; a live session's state says that better. */
function noteOf(
	{ next, ending, waits }: Row,
	live: LiveState | undefined,
	{ live: states, board }: Words,
): Note | undefined {
	if (live?.state === "needs_you" || (waits && !live)) {
		const state = live ? states.needs_you : ending;
		return {
			text: next === undefined ? (state ?? states.needs_you) : board.asks(next),
			style: "warning",
		};
	}
	if (next !== undefined) return { text: `→ ${next}`, style: "dim" };
	return ending === undefined || live ? undefined : { text: ending, style: "dim" };
}

function pathNote({ path }: Row): Note {
	return { text: projectOf(path), style: "dim" };
}

/** Its state where it is live, else that it is pinned or waits for the user. Always in the same two columns. */
function glyph(row: Row, live: LiveState | undefined, { marks }: ListView): Span {
	if (live) {
		const { text, style } = glyphOf(live.state);
		return span(`${text} `, style);
	}
	if (marks.pinned.has(row.mark)) return span("★ ", "accent");
	return row.waits ? span("◇ ", "warning") : span("  ");
}

/** What an empty list says, and what to do about it. */
export function emptyText(board: Board, scopeKey: string): string {
	const words = board.words.board;
	if (board.search) return board.search.running ? words.searching : words.nothingFound;
	if (board.scan[board.scope] !== "done") return words.looking;
	if (board.namedOnly) return words.noneNamed;
	return board.scope === "all" ? words.noSessions : words.noneHere(scopeKey);
}
