import type { Overlap } from "../../session-core/sessions/live/index.ts";
import type { Offers } from "../../session-core/sessions/match.ts";
import { lookOf, OVERLAPPING, PLANTED_MARK, STATE_LOOKS } from "../../session-core/sessions/session-list.mjs";
import { rowNote, type SessionView } from "../../session-core/sessions/view.ts";
import {
	cleanLine,
	clipColumns,
	displayWidth,
	SHORT_AGE_COLUMNS,
	safeText,
	shortAge,
} from "../../session-core/text/index.ts";
import { paintFor, paintState } from "../shell/terminal.ts";
import type { World } from "../shell/world.ts";

export interface TableView extends Pick<World, "env" | "out" | "now"> {
	/** Whether the list covers the sessions of all projects, in which case each line names its project. */
	all: boolean;
	/** The sessions among which a short id must be unique. Default: ids are not shortened. */
	among?: Offers | undefined;
}

/** The id and the place are shown only in terminals that have at least this many columns. */
const WIDE_FROM = 60;
const NEXT_FROM = 10;
const GAP = "  ";

/**
 * Returns the lines of a table that has at most this many columns: the mark, age, id, title, place and next step of each session. The place
 * names another agent, a session that a repository could have written and, in a list of all projects, the project.
 */
export function tableOf(rows: readonly ListedView[], columns: number, view: TableView): string[] {
	const paint = paintFor(view.out, view.env);
	const isWide = columns >= WIDE_FROM;
	const cells = rows.map((row) => ({
		age: shortAge(row.modified, view.now()),
		id: isWide ? shownId(row, view.among) : "",
		place: isWide
			? [row.format.mark, row.planted && PLANTED_MARK, view.all && (row.project || "?")]
					.filter(Boolean)
					.join(" · ")
			: "",
		next: noteOf(row),
		title: row.overlaps?.length ? `${OVERLAPPING} ${row.title}` : row.title,
	}));
	const widest = (name: keyof (typeof cells)[number]) =>
		Math.max(0, ...cells.map((cell) => displayWidth(cell[name])));
	const width = { age: SHORT_AGE_COLUMNS, id: 0, place: 0, title: widest("title"), next: widest("next") };
	width.place = Math.min(widest("place"), Math.floor(columns / 4));
	// Part of a short id would not be accepted, so ids are never cut.
	width.id = widest("id") <= columns / 2 ? widest("id") : 0;
	const fixed = [width.age, width.id, width.place].filter((one) => one > 0);
	const room = columns - "◆ ".length - fixed.reduce((sum, one) => sum + one + GAP.length, 0);
	const forNext = Math.max(Math.floor(room * (2 / 5)), room - width.title - GAP.length);
	width.next = forNext < NEXT_FROM ? 0 : Math.min(width.next, forNext);
	width.title = Math.min(width.title, room - (width.next > 0 ? width.next + GAP.length : 0));
	const names = (["age", "id", "title", "place", "next"] as const).filter((name) => width[name] > 0);
	const colors = { age: paint.dim, id: paint.dim, place: paint.dim, next: String };
	return cells.map((cell, index) => {
		const row = rows[index];
		const line = names.map((name) => {
			const text = clipColumns(cell[name], width[name]);
			const color = { ...colors, title: row?.titleSource === "manual" ? paint.bold : String }[name];
			return color(text) + " ".repeat(Math.max(0, width[name] - displayWidth(text)));
		});
		const { color, glyph } = row ? lookOf(row) : STATE_LOOKS.closed;
		return `${paintState(color, glyph, paint)} ${line.join(GAP).trimEnd()}`;
	});
}

/** A session, and those of its changed files that another live session has changed, too. */
export type ListedView = SessionView & { overlaps?: readonly Overlap[] };

function noteOf(row: SessionView): string {
	const note = rowNote(row);
	return note ? `${note.kind === "next" ? "→ " : ""}${note.text}` : "";
}

/** Returns the id to show, shortened as far as it stays unique. */
export function shownId({ id }: SessionView, among: Offers | undefined): string {
	const shown = cleanLine(safeText(id));
	return shown === id && among ? among.shortId(id) : shown;
}
