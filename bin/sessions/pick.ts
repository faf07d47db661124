import { createInterface, emitKeypressEvents, type Key } from "node:readline";
import { filtered, type Offers, readFilter, type SessionView } from "../../session-core/sessions/index.ts";
import { cleanText, clipColumns, displayWidth } from "../../session-core/text/index.ts";
import { columnsOf, type World } from "../shell/world.ts";
import { tableOf } from "./table.ts";

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

/**
 * Resolves to an empty string if there is no keyboard, or if the input ends before a line has been
 * typed.
 */
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
