import { agentMark } from "../../session-core/agents/agents.ts";
import { sessionsRoot } from "../../session-core/catalog/folders.ts";
import type { SessionSummary } from "../../session-core/catalog/summary.ts";
import { sessionJson } from "../../session-core/session-view/json.ts";
import { type SessionView, viewOf } from "../../session-core/session-view/view.ts";
import { withWork } from "../../session-core/session-view/work.ts";
import { redact } from "../../session-core/text/redact.ts";
import { safeText } from "../../session-core/text/safe.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { SHORT_AGE_COLUMNS, shortAge } from "../../session-core/words/age.ts";
import { STATE_LOOKS } from "../../session-core/words/state-looks.ts";
import { allSessions, sessionsHere } from "../sessions/find.ts";
import { shortIds } from "../sessions/short-ids.ts";
import { isInState, openSessions, type STATES } from "../sessions/state.ts";

import { clipColumns, columnsOf, displayWidth, type Paint, paintFor, paintState } from "../shell/terminal.ts";

import { DONE, FAILED, printJson, type World } from "../shell/world.ts";

export interface ListOptions {
	all?: boolean | undefined;
	background?: boolean | undefined;
	state?: (typeof STATES)[number] | undefined;
	limit?: number | undefined;
	json?: boolean | undefined;
}

/** `pi-sessions list` */
export async function list(options: ListOptions, world: World): Promise<number> {
	const { limit = Number.POSITIVE_INFINITY } = options;
	const leaseOf = openSessions(world);
	// The list never differs from the next one, so every listed session gets its topic. With `--state`, only few sessions are listed.
	const mostWork = options.state === undefined || options.state === "closed" ? limit : 0;
	const { rows, unread } = await (options.all ? allSessions(world, mostWork) : sessionsHere(world, mostWork));
	for (const line of unread) world.say(line);
	const code = rows.length === 0 && unread.length > 0 ? FAILED : DONE;
	const wanted = rows.filter((row) => isInState(leaseOf(row)?.state ?? "closed", options.state));
	// With `--state`, headless runs and child sessions in that state are listed, too.
	const shown = wanted.filter((row) => options.background || options.state || !isBackground(row));
	const isTable = (world.out.isTTY ?? false) && !options.json;
	const seen = shown.map((row) => ({ row, view: viewOf(row, leaseOf(row)) }));
	const chosen = (isTable ? needyFirst(seen) : seen).slice(0, limit);
	// The topic is read only for the sessions that are listed. It may show that a session asked something.
	const read = chosen.map(({ row }) => ({ row, view: viewOf(withWork(row), leaseOf(row)) }));
	const views = (isTable ? needyFirst(read) : read).map(({ view }) => view);
	if (options.json) {
		printJson({ sessions: views.map(sessionJson) }, world.out);
		return code;
	}
	const view = { ...world, all: options.all ?? false, ...(isTable && { shortId: shortIds(rows) }) };
	for (const line of listLines(views, view)) world.out.write(`${line}\n`);
	if (code === DONE)
		world.err.write(noteOf(options, { shown: shown.length, hidden: wanted.length - shown.length, world }));
	return code;
}

function isBackground({ kind }: SessionSummary): boolean {
	return kind === "headless" || kind === "child";
}

/** Returns a note about sessions that the list does not show. */
function noteOf(
	{ all, state }: ListOptions,
	{ shown, hidden, world }: { shown: number; hidden: number; world: World },
): string {
	const more =
		hidden > 0
			? `Headless runs and child sessions are hidden (${hidden}). Use --background to show them.\n`
			: "";
	if (shown > 0) return world.out.isTTY ? more : "";
	const none = state ? "No sessions in that state" : "No sessions";
	const folder = cleanLine(world.sessionDir ?? sessionsRoot(world.agentDir));
	return `${none}${all ? ` (${folder}).` : " in this project. Use --all to see all projects."}\n${more}`;
}

export interface ListView extends Pick<World, "env" | "out" | "now"> {
	/** Whether the list covers the sessions of all projects, in which case each line names its project. */
	all: boolean;
	/** Returns the short form of a session's id. Default: the whole id. */
	shortId?: ((row: SessionView) => string) | undefined;
}

/** Sorts sessions that need the user first: live ones, then closed ones that asked or failed. Otherwise, the order does not change. */
export function needyFirst<T extends { view: SessionView }>(rows: readonly T[]): T[] {
	const rank = ({ view: { state, waits, ending } }: T) => {
		if (state === "needs_you" || state === "failed") return 0;
		return state === "closed" && (waits || ending?.outcome === "error") ? 1 : 2;
	};
	return rows.toSorted((one, other) => rank(one) - rank(other));
}

/** Returns one line per session: a table that fits into a terminal's width, or tab-separated in a pipe (state, age, id, title, folder, next step and, for another agent's session, the agent). */
export function listLines(rows: readonly SessionView[], view: ListView): string[] {
	const columns = columnsOf(view.out);
	if (columns === undefined) return rows.map((row) => fieldsOf(row, view).join("\t"));
	return tableOf(rows, columns, view);
}

function fieldsOf(row: SessionView, { now }: ListView): string[] {
	const { state, modified, title, project, next = "", agent } = row;
	const fields = [state, shortAge(modified, now()), redact(row.id), title, project || "?", next];
	return agent === "pi" ? fields : [...fields, agent];
}

/** The id and the place are shown only in terminals that have at least this many columns. */
const WIDE_FROM = 60;
/** Minimum number of columns for a next step. */
const NEXT_FROM = 10;
const GAP = "  ";

/**
 * Returns the lines of a table that has at most this many columns: the mark, age, id, title, place and next step of each session. The place
 * is the project and the agent, if they are not those of all rows.
 */
export function tableOf(rows: readonly SessionView[], columns: number, view: ListView): string[] {
	const paint = paintFor(view.out, view.env);
	const isWide = columns >= WIDE_FROM;
	const cells = rows.map((row) => ({
		age: shortAge(row.modified, view.now()),
		id: isWide ? (view.shortId ?? safeId)(row) : "",
		place: isWide ? [agentMark(row.agent), view.all && (row.project || "?")].filter(Boolean).join(" · ") : "",
		next: row.next === undefined ? "" : `→ ${row.next}`,
		title: row.title,
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
			const color = { ...colors, title: row?.state === "closed" ? String : paint.bold }[name];
			return color(text) + " ".repeat(Math.max(0, width[name] - displayWidth(text)));
		});
		return `${row ? markOf(row, paint) : " "} ${line.join(GAP).trimEnd()}`;
	});
}

function safeId({ id }: SessionView): string {
	return cleanLine(safeText(id));
}

/** Returns the symbol of a session's state. A closed session is marked if it asked something or failed. */
export function markOf({ state, waits, ending }: SessionView, paint: Paint): string {
	if (state === "closed" && waits) return paintState(STATE_LOOKS.needs_you.color, "◇", paint);
	const { glyph, color } = STATE_LOOKS[state === "closed" && ending?.outcome === "error" ? "failed" : state];
	return paintState(color, glyph, paint);
}
