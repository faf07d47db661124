import { agentMark } from "../../session-core/agents/agents.ts";
import { sessionsRoot } from "../../session-core/catalog/folders.ts";
import type { SessionSummary } from "../../session-core/catalog/summary.ts";
import { sessionJson } from "../../session-core/session-view/json.ts";
import { type SessionView, viewOf } from "../../session-core/session-view/view.ts";
import { withWork } from "../../session-core/session-view/work.ts";
import { redact } from "../../session-core/text/redact.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { SHORT_AGE_COLUMNS, shortAge } from "../../session-core/words/age.ts";
import { STATE_LOOKS } from "../../session-core/words/state-looks.ts";
import { allSessions, sessionsHere } from "../sessions/find.ts";
import { isInState, openSessions, type STATES } from "../sessions/state.ts";
import {
	clipColumns,
	columnsOf,
	displayWidth,
	type Paint,
	padded,
	paintFor,
	paintState,
} from "../shell/terminal.ts";
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
	const views = shown.slice(0, limit).map((row) => viewOf(withWork(row), leaseOf(row)));
	if (options.json) {
		printJson({ sessions: views.map(sessionJson) }, world.out);
		return code;
	}
	for (const line of listLines(views, { ...world, all: options.all ?? false })) world.out.write(`${line}\n`);
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
}

/** Returns one line per session: fitted to a terminal's width, or tab-separated in a pipe (state, age, id, title, folder, next step and, for another agent's session, the agent). */
export function listLines(rows: readonly SessionView[], view: ListView): string[] {
	const columns = columnsOf(view.out);
	if (columns === undefined) return rows.map((row) => fieldsOf(row, view).join("\t"));
	const paint = paintFor(view.out, view.env);
	return rows.map((row) => terminalLine(row, columns, view, paint));
}

function fieldsOf(row: SessionView, view: ListView): string[] {
	const { state, age, title, project, next } = partsOf(row, view);
	return [state, age, redact(row.id), title, project, next, ...(row.agent === "pi" ? [] : [row.agent])];
}

/** Width of the id column. Longer ids are cut to this width, which is enough to keep every id unique. */
const ID_COLUMNS = 13;
/** Ids are shown only in terminals that have at least this many columns. */
const ID_FROM = 60;

/**
 * Returns the line of a session for a terminal. The title gets at least two thirds of the available width; the project and the next step
 * share the rest.
 */
function terminalLine(row: SessionView, columns: number, view: ListView, paint: Paint): string {
	const { state, age, title, project, next } = partsOf(row, view);
	const mark = agentMark(row.agent);
	const glyph = markOf(row, paint);
	const id =
		columns < ID_FROM ? "" : `${paint.dim(redact(row.id).slice(0, ID_COLUMNS).padEnd(ID_COLUMNS))}  `;
	const head = `${glyph} ${padded(age, SHORT_AGE_COLUMNS)}  ${id}`;
	const room = columns - 2 - SHORT_AGE_COLUMNS - 2 - (id === "" ? 0 : ID_COLUMNS + 2);
	const details = [mark, view.all ? project : "", next].filter((part) => part !== "").join(" · ");
	const forTitle =
		details === "" ? room : Math.max(Math.floor((room * 2) / 3), room - displayWidth(details) - 3);
	const shown = clipColumns(title, forTitle);
	const left = room - displayWidth(shown) - 3;
	const rest = details === "" || left < 8 ? "" : paint.dim(` · ${clipColumns(details, left)}`);
	return head + (state === "closed" ? shown : paint.bold(shown)) + rest;
}

function partsOf({ state, modified, title, project, next = "" }: SessionView, { now }: ListView) {
	return { state, age: shortAge(modified, now()), title, project: project || "?", next };
}

function markOf({ state, waits }: SessionView, paint: Paint): string {
	if (state === "closed" && waits) return paintState(STATE_LOOKS.needs_you.color, "◇", paint);
	const { glyph, color } = STATE_LOOKS[state];
	return paintState(color, glyph, paint);
}
