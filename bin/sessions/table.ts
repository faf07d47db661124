import {
	lookOf,
	noteOf,
	type Offers,
	OVERLAPPING,
	PLANTED_MARK,
	type SessionView,
	type StateColor,
} from "../../session-core/sessions/index.ts";
import {
	cleanLine,
	clipColumns,
	displayWidth,
	SHORT_AGE_COLUMNS,
	safeText,
	shortAge,
} from "../../session-core/text/index.ts";
import type { Painter, World } from "../shell/world.ts";

export interface TableView extends Pick<World, "paint" | "now"> {
	all: boolean;
	/** Ids are shortened to prefixes that are unique in `among`. Without `among`, full ids are shown. */
	among?: Offers | undefined;
}

const MIN_COLUMNS_FOR_ID = 60;
const NEXT_FROM = 10;
const GAP = "  ";

export function tableOf(rows: readonly SessionView[], columns: number, view: TableView): string[] {
	const { paint } = view;
	const lines = rows.map((row) => ({ row, cells: cellsOf(row, columns >= MIN_COLUMNS_FOR_ID, view) }));
	const widest = (name: keyof ReturnType<typeof cellsOf>) =>
		Math.max(0, ...lines.map(({ cells }) => displayWidth(cells[name])));
	// Ids are never truncated to fit, because a truncated id may not identify the session.
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

function cellsOf(row: SessionView, isWide: boolean, { all, among, now }: TableView) {
	const place = [row.format.mark, row.planted && PLANTED_MARK, all && (row.project || "?")];
	const note = noteOf(row);
	return {
		age: shortAge(row.modified, now()),
		id: isWide ? shownId(row, among) : "",
		title: row.overlaps.length > 0 ? `${OVERLAPPING} ${row.title}` : row.title,
		place: isWide ? place.filter(Boolean).join(" · ") : "",
		next: note ? (note.kind === "next" ? "→ " : "") + note.text : "",
	};
}

export function shownId({ id }: SessionView, among: Offers | undefined): string {
	const shown = cleanLine(safeText(id));
	return shown === id && among ? among.shortId(id) : shown;
}

export function paintState(color: StateColor, text: string, paint: Painter): string {
	const { yellow, red, cyan, green, dim } = paint;
	return { warning: yellow, error: red, accent: cyan, success: green, dim, plain: String }[color](text);
}
