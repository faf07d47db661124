import { on } from "node:events";
import { emitKeypressEvents, type Key } from "node:readline";
import { hasWord, type SessionView, viewOf } from "../../session-core/session-view/view.ts";
import { withWork } from "../../session-core/session-view/work.ts";
import { clipColumns, displayWidth } from "../../session-core/text/clip.ts";
import { foldCase } from "../../session-core/text/matching.ts";
import { allSessions, isSamePlace, openSessions } from "../sessions/find.ts";
import { needyFirst, shortIds, type TableView, tableOf } from "../sessions/table.ts";
import { columnsOf, paintFor } from "../shell/terminal.ts";
import { DONE, type World } from "../shell/world.ts";
import { resume } from "./resume.ts";

/** What the user has typed and chosen in the picker. */
interface Picker {
	query: string;
	/** The index of the chosen row among the rows that match. */
	at: number;
	/** Whether sessions of all projects are listed. */
	all: boolean;
	/** Set when the picker closes. */
	end?: "resume" | "leave";
}

/** Number of rows by which a key moves the choice. */
const MOVES: Readonly<Record<string, number>> = { up: -1, down: 1, pageup: -10, pagedown: 10 };
const CTRL_MOVES: Readonly<Record<string, number>> = { p: -1, n: 1 };

/** Advances the picker by one key. `count`: number of rows that match. */
export function press(state: Picker, text: string | undefined, key: Key, count: number): Picker {
	const { name = "", ctrl, meta } = key;
	const move = ctrl ? CTRL_MOVES[name] : MOVES[name];
	if (name === "escape" || (ctrl && (name === "c" || name === "d"))) return { ...state, end: "leave" };
	if (name === "return" || name === "enter") return count > 0 ? { ...state, end: "resume" } : state;
	if (move !== undefined) return { ...state, at: Math.max(0, Math.min(count - 1, state.at + move)) };
	if (name === "tab") return { ...state, all: !state.all, at: 0 };
	if (name === "backspace") return { ...state, query: [...state.query].slice(0, -1).join(""), at: 0 };
	if (ctrl && name === "u") return { ...state, query: "", at: 0 };
	if (!text || ctrl || meta || /\p{Cc}/u.test(text)) return state;
	return { ...state, query: state.query + text, at: 0 };
}

/**
 * `pi-sessions` without a command in a terminal: a list of sessions to choose from, those of this project first. Returns undefined if there
 * are no sessions.
 */
export async function pick(world: World): Promise<number | undefined> {
	const { keyboard: input, out, cwd } = world;
	const { rows } = await allSessions(world, TOPICS);
	const leaseOf = openSessions(world);
	const sessions = rows
		.filter(({ kind }) => kind !== "headless" && kind !== "child")
		.map((row, index) => ({ view: viewOf(index < TOPICS ? withWork(row) : row, leaseOf(row)) }));
	if (!input || sessions.length === 0) return undefined;
	const shortId = shortIds(rows);
	const sorted = needyFirst(sessions).map(({ view }) => view);
	const own = new Set(sorted.filter((view) => isSamePlace(view.cwd, cwd)));
	let state: Picker = { query: "", at: 0, all: own.size === 0 };
	const found = () => {
		const words = foldCase(state.query).split(/\s+/).filter(Boolean);
		return sorted.filter(
			(view) => (state.all || own.has(view)) && words.every((word) => hasWord(view, word)),
		);
	};
	const draw = () =>
		out.write(`\x1b[H${screen(found(), state, { ...world, shortId }).join("\x1b[K\r\n")}\x1b[J`);
	emitKeypressEvents(input);
	input.setRawMode?.(true);
	out.write("\x1b[?1049h\x1b[?25l");
	out.on?.("resize", draw);
	draw();
	// The type of `on` does not include what a keypress event contains.
	const keypresses = on(input, "keypress") as AsyncIterable<[string | undefined, Key]>;
	input.resume();
	try {
		for await (const [text, key] of keypresses) {
			state = press(state, text, key, found().length);
			if (state.end !== undefined) break;
			draw();
		}
	} finally {
		out.off?.("resize", draw);
		input.setRawMode?.(false);
		input.pause();
		out.write("\x1b[?25h\x1b[?1049l");
	}
	const chosen = state.end === "resume" ? found()[state.at] : undefined;
	return chosen ? resume(chosen.path, {}, world) : DONE;
}

/** Number of sessions whose topic is read before the picker is shown. */
const TOPICS = 200;

/** Returns the lines of the screen: the filter, the rows around the choice, and the keys. */
function screen(
	found: readonly SessionView[],
	state: Picker,
	{ out, env, now, shortId }: Omit<TableView, "all">,
): string[] {
	const columns = columnsOf(out) ?? 80;
	const room = Math.max(1, (out.rows ?? 24) - 2);
	const paint = paintFor(out, env);
	const first = Math.max(0, Math.min(state.at - Math.floor(room / 2), found.length - room));
	const shown = found.slice(first, first + room);
	const view = { env, out, now, shortId, all: state.all };
	const lines = tableOf(shown, columns - 2, view).map((line) => `  ${line}`);
	const at = state.at - first;
	const plain = tableOf(shown, columns - 2, { ...view, env: { NO_COLOR: "1" } })[at];
	if (plain !== undefined) lines[at] = paint.inverse(`› ${plain}`);
	const scope = state.all ? "this project" : "all projects";
	const keys = `${found.length} found · enter resume · tab ${scope} · esc leave`;
	// The end of a long filter is what the user is typing.
	let query = state.query;
	while (displayWidth(query) > columns - 3) query = [...query].slice(1).join("");
	return [`> ${query}${paint.inverse(" ")}`, ...lines, paint.dim(clipColumns(keys, columns))];
}
