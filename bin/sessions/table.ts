import { on } from "node:events";
import { emitKeypressEvents, type Key } from "node:readline";
import {
	filtered,
	lookOf,
	noteOf,
	type Offers,
	OVERLAPPING,
	PLANTED_MARK,
	readFilter,
	type SessionView,
	STATE_LOOKS,
} from "../../session-core/sessions/index.ts";
import type { Overlap } from "../../session-core/sessions/live/index.ts";
import {
	cleanLine,
	clipColumns,
	displayWidth,
	SHORT_AGE_COLUMNS,
	safeText,
	shortAge,
} from "../../session-core/text/index.ts";
import { columnsOf, paintFor, paintState, type World } from "../shell/world.ts";

export interface TableView extends Pick<World, "env" | "out" | "now"> {
	/** Whether the list contains the sessions of all projects, so that each line names its project. */
	all: boolean;
	/** The sessions among which a short id must be unique. Default: ids are not shortened. */
	among?: Offers | undefined;
}

/** The id and the place are shown only in terminals that have at least this many columns. */
const WIDE_FROM = 60;
const NEXT_FROM = 10;
const GAP = "  ";

/**
 * Returns a table that is at most `columns` wide, with each session's mark, age, id, title, place and next step. The place shows another
 * agent's name, whether the session's file may have come from a repository and, in a list of all projects, the project.
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
		next: noteText(row),
		title: row.overlaps?.length ? `${OVERLAPPING} ${row.title}` : row.title,
	}));
	const widest = (name: keyof (typeof cells)[number]) =>
		Math.max(0, ...cells.map((cell) => displayWidth(cell[name])));
	const width = { age: SHORT_AGE_COLUMNS, id: 0, place: 0, title: widest("title"), next: widest("next") };
	width.place = Math.min(widest("place"), Math.floor(columns / 4));
	// A part of a short id would not be accepted by other commands, so ids are never cut.
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

/** `overlaps`: the files that this session and another live session have both changed. */
export type ListedView = SessionView & { overlaps?: readonly Overlap[] };

function noteText(row: SessionView): string {
	const note = noteOf(row);
	return note ? `${note.kind === "next" ? "→ " : ""}${note.text}` : "";
}

/** Returns the id, shortened to the part that is unique in `among`. */
export function shownId({ id }: SessionView, among: Offers | undefined): string {
	const shown = cleanLine(safeText(id));
	return shown === id && among ? among.shortId(id) : shown;
}

/** A list to choose from. `all`: whether it contains the sessions of all projects. */
interface Scope {
	views: readonly SessionView[];
	all: boolean;
}

interface Picker {
	query: string;
	/** The index of the chosen row among the rows that match. */
	at: number;
	/** The index of the list that is shown. */
	scope: number;
	end?: "choose" | "leave";
}

const MOVES: Readonly<Record<string, number>> = { up: -1, down: 1, pageup: -10, pagedown: 10 };

/** Advances the picker by one key. `count`: number of rows that match. */
function press(state: Picker, text: string | undefined, key: Key, count: number): Picker {
	const { name = "", ctrl, meta } = key;
	const move = MOVES[name];
	if (name === "escape" || (ctrl && (name === "c" || name === "d"))) return { ...state, end: "leave" };
	if (name === "return" || name === "enter") return count > 0 ? { ...state, end: "choose" } : state;
	if (move !== undefined) return { ...state, at: Math.max(0, Math.min(count - 1, state.at + move)) };
	if (name === "tab") return { ...state, scope: state.scope + 1, at: 0 };
	if (name === "backspace") return { ...state, query: [...state.query].slice(0, -1).join(""), at: 0 };
	if (ctrl && name === "u") return { ...state, query: "", at: 0 };
	if (!text || ctrl || meta || /\p{Cc}/u.test(text)) return state;
	return { ...state, query: state.query + text, at: 0 };
}

/**
 * Lets the user choose a session in a terminal. If there are several lists, Tab shows the next one. `among`: the sessions among which a
 * short id must be unique.
 */
export async function pickSession(
	scopes: readonly Scope[],
	among: Offers,
	world: World,
): Promise<SessionView | undefined> {
	const { keyboard: input, out } = world;
	if (!input) return undefined;
	let state: Picker = { query: "", at: 0, scope: 0 };
	const found = (): Scope => {
		const { views = [], all = true } = scopes[state.scope % scopes.length] ?? {};
		return { views: filtered(views, readFilter(state.query)), all };
	};
	const draw = () => {
		const lines = screen(found(), state, { world, among, isOnly: scopes.length === 1 });
		out.write(`\x1b[H${lines.join("\x1b[K\r\n")}\x1b[J`);
	};
	emitKeypressEvents(input);
	input.setRawMode?.(true);
	out.write("\x1b[?1049h\x1b[?25l");
	out.on?.("resize", draw);
	draw();
	// The type of `on` does not include the arguments of a keypress event.
	const keypresses = on(input, "keypress") as AsyncIterable<[string | undefined, Key]>;
	input.resume();
	try {
		for await (const [text, key] of keypresses) {
			state = press(state, text, key, found().views.length);
			if (state.end !== undefined) break;
			draw();
		}
	} finally {
		out.off?.("resize", draw);
		input.setRawMode?.(false);
		input.pause();
		out.write("\x1b[?25h\x1b[?1049l");
	}
	return state.end === "choose" ? found().views[state.at] : undefined;
}

/** Returns the lines of the screen: the filter, the rows around the selected one, and the keys. */
function screen(
	{ views, all }: Scope,
	state: Picker,
	{ world, among, isOnly }: { world: World; among: Offers; isOnly: boolean },
): string[] {
	const { out, env } = world;
	const columns = columnsOf(out) ?? 80;
	const room = Math.max(1, (out.rows ?? 24) - 2);
	const paint = paintFor(out, env);
	const first = Math.max(0, Math.min(state.at - Math.floor(room / 2), views.length - room));
	const shown = views.slice(first, first + room);
	const view = { ...world, among, all };
	const lines = tableOf(shown, columns - 2, view).map((line) => `  ${line}`);
	const at = state.at - first;
	const plain = tableOf(shown, columns - 2, { ...view, env: { NO_COLOR: "1" } })[at];
	if (plain !== undefined) lines[at] = paint.inverse(`› ${plain}`);
	const tab = isOnly ? "" : ` · tab ${all ? "this project" : "all projects"}`;
	const keys = `${views.length} found · enter choose${tab} · esc leave`;
	// If the filter is long, only its end is shown, because the user is typing there.
	let query = state.query;
	while (displayWidth(query) > columns - 3) query = [...query].slice(1).join("");
	return [`> ${query}${paint.inverse(" ")}`, ...lines, paint.dim(clipColumns(keys, columns))];
}
