import {
	lookOf,
	noteOf,
	type Offers,
	OVERLAPPING,
	type Overlap,
	PLANTED_MARK,
	type SessionView,
} from "../../session-core/sessions/index.ts";
import {
	cleanLine,
	clipColumns,
	displayWidth,
	SHORT_AGE_COLUMNS,
	safeText,
	shortAge,
} from "../../session-core/text/index.ts";
import { paintState, type World } from "../shell/world.ts";

export interface TableView extends Pick<World, "paint" | "now"> {
	/** Whether the list contains the sessions of all projects, so that each line names its project. */
	all: boolean;
	/** The sessions among which a shortened id must be unique. If this list is missing, ids are not shortened. */
	among?: Offers | undefined;
}

/** A session as the list shows it. `overlaps` contains the files that this session and another live session have both changed. */
export type ListedView = SessionView & { overlaps?: readonly Overlap[] };

/** The id and the place are shown only in terminals that have at least this many columns. */
const WIDE_FROM = 60;
const NEXT_FROM = 10;
const GAP = "  ";

/**
 * Returns a table that is at most `columns` wide, with each session's mark, age, id, title, place and next step. The place shows another
 * agent's name, whether the session's file may have come from a repository and, in a list of all projects, the project.
 */
export function tableOf(rows: readonly ListedView[], columns: number, view: TableView): string[] {
	const { paint } = view;
	const lines = rows.map((row) => ({ row, cells: cellsOf(row, columns >= WIDE_FROM, view) }));
	const widest = (name: keyof ReturnType<typeof cellsOf>) =>
		Math.max(0, ...lines.map(({ cells }) => displayWidth(cells[name])));
	// Ids are never cut to fit, because other commands could not find a session by such a part of its id.
	const id = widest("id") <= columns / 2 ? widest("id") : 0;
	const fixed = { age: SHORT_AGE_COLUMNS, id, place: Math.min(widest("place"), Math.floor(columns / 4)) };
	const taken = Object.values(fixed).filter((one) => one > 0);
	const room = columns - "◆ ".length - taken.reduce((sum, one) => sum + one + GAP.length, 0);
	const forNext = Math.max(Math.floor(room * (2 / 5)), room - widest("title") - GAP.length);
	const next = forNext < NEXT_FROM ? 0 : Math.min(widest("next"), forNext);
	const title = Math.min(widest("title"), room - (next > 0 ? next + GAP.length : 0));
	const width = { ...fixed, title, next };
	const names = (["age", "id", "title", "place", "next"] as const).filter((name) => width[name] > 0);
	return lines.map(({ row, cells }) => {
		const ownName = row.titleSource === "manual" ? paint.bold : String;
		const colors = { age: paint.dim, id: paint.dim, title: ownName, place: paint.dim, next: String };
		const line = names.map((name) => {
			const text = clipColumns(cells[name], width[name]);
			return colors[name](text) + " ".repeat(Math.max(0, width[name] - displayWidth(text)));
		});
		const { color, glyph } = lookOf(row);
		return `${paintState(color, glyph, paint)} ${line.join(GAP).trimEnd()}`;
	});
}

function cellsOf(row: ListedView, isWide: boolean, { all, among, now }: TableView) {
	const place = [row.format.mark, row.planted && PLANTED_MARK, all && (row.project || "?")];
	const note = noteOf(row);
	return {
		age: shortAge(row.modified, now()),
		id: isWide ? shownId(row, among) : "",
		title: row.overlaps?.length ? `${OVERLAPPING} ${row.title}` : row.title,
		place: isWide ? place.filter(Boolean).join(" · ") : "",
		next: note ? (note.kind === "next" ? "→ " : "") + note.text : "",
	};
}

/** Returns the id, shortened to the part that is unique in `among`. */
export function shownId({ id }: SessionView, among: Offers | undefined): string {
	const shown = cleanLine(safeText(id));
	return shown === id && among ? among.shortId(id) : shown;
}
