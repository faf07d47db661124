import { createInterface, emitKeypressEvents, type Key } from "node:readline";
import {
	filtered,
	lookOf,
	noteOf,
	type Offers,
	OVERLAPPING,
	PLANTED_MARK,
	readFilter,
	type SessionView,
	type StateColor,
} from "../../session-core/sessions/index.ts";
import {
	cleanLine,
	cleanText,
	clipColumns,
	displayWidth,
	SHORT_AGE_COLUMNS,
	safeText,
	shortAge,
} from "../../session-core/text/index.ts";
import { columnsOf, type Painter, type World } from "../shell/world.ts";

interface TableView extends Pick<World, "paint" | "now"> {
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

type Scope = { views: readonly SessionView[]; all: boolean };

interface Picker {
	query: string;
	selectedIndex: number;
	tabPresses: number;
	end?: "choose" | "leave";
}

const MOVES: Readonly<Record<string, number>> = { up: -1, down: 1, pageup: -10, pagedown: 10 };

function press(state: Picker, text: string | undefined, key: Key, count: number): Picker {
	const { name = "", ctrl, meta } = key;
	const move = MOVES[name];
	if (name === "escape" || (ctrl && (name === "c" || name === "d"))) return { ...state, end: "leave" };
	if (name === "return" || name === "enter") return count > 0 ? { ...state, end: "choose" } : state;
	if (move !== undefined)
		return { ...state, selectedIndex: Math.max(0, Math.min(count - 1, state.selectedIndex + move)) };
	if (name === "tab") return { ...state, tabPresses: state.tabPresses + 1, selectedIndex: 0 };
	if (name === "backspace")
		return { ...state, query: [...state.query].slice(0, -1).join(""), selectedIndex: 0 };
	if (ctrl && name === "u") return { ...state, query: "", selectedIndex: 0 };
	if (!text || ctrl || meta || /\p{Cc}/u.test(text)) return state;
	return { ...state, query: state.query + text, selectedIndex: 0 };
}

export async function pickSession(
	scopes: readonly Scope[],
	among: Offers,
	world: World,
): Promise<SessionView | undefined> {
	const { keyboard: input, out } = world;
	if (!input) return undefined;
	let state: Picker = { query: "", selectedIndex: 0, tabPresses: 0 };
	const found = (): Scope => {
		const { views = [], all = true } = scopes[state.tabPresses % scopes.length] ?? {};
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
	try {
		await new Promise<void>((resolve) => {
			const onKey = (text: string | undefined, key: Key) => {
				state = press(state, text, key, found().views.length);
				if (state.end === undefined) return draw();
				input.off("keypress", onKey);
				resolve();
			};
			input.on("keypress", onKey);
			input.resume();
		});
	} finally {
		out.off?.("resize", draw);
		input.setRawMode?.(false);
		input.pause();
		out.write("\x1b[?25h\x1b[?1049l");
	}
	return state.end === "choose" ? found().views[state.selectedIndex] : undefined;
}

function screen(
	{ views, all }: Scope,
	state: Picker,
	{ world, among, isOnly }: { world: World; among: Offers; isOnly: boolean },
): string[] {
	const { out, paint, now } = world;
	const columns = columnsOf(out) ?? 80;
	const room = Math.max(1, (out.rows ?? 24) - 2);
	const first = Math.max(0, Math.min(state.selectedIndex - Math.floor(room / 2), views.length - room));
	const shown = views.slice(first, first + room);
	const lines = tableOf(shown, columns - 2, { now, among, all, paint }).map((line, index) =>
		first + index === state.selectedIndex ? paint.inverse(`› ${cleanText(line)}`) : `  ${line}`,
	);
	const tab = isOnly ? "" : ` · tab: ${all ? "this project" : "all projects"}`;
	const keys = `${views.length} found · enter: choose${tab} · esc: leave`;
	// Only the end of a long filter text is shown, because the cursor is at the end.
	let query = state.query;
	while (displayWidth(query) > columns - 3) query = [...query].slice(1).join("");
	return [`> ${query}${paint.inverse(" ")}`, ...lines, paint.dim(clipColumns(keys, columns))];
}

export function ask(question: string, { keyboard, out }: World): Promise<string> {
	if (!keyboard) return Promise.resolve("");
	out.write(`${question}\n> `);
	const lines = createInterface({ input: keyboard, terminal: false });
	return new Promise((resolve) => {
		lines.once("line", (line) => {
			resolve(line.trim());
			lines.close();
		});
		lines.once("close", () => resolve(""));
	});
}
