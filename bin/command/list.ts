import { sessionsRoot } from "../../session-core/catalog/folders.ts";
import type { ScanReport } from "../../session-core/catalog/listing.ts";
import { sessionJson } from "../../session-core/session-view/json.ts";
import { type SessionState, type SessionView, viewOf } from "../../session-core/session-view/view.ts";
import { withWork } from "../../session-core/session-view/work.ts";
import { redact } from "../../session-core/text/redact.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { shortAge } from "../../session-core/words/age.ts";
import type { Words } from "../../session-core/words/words.ts";
import { allSessions, sessionsHere, unreadLines } from "../sessions/find.ts";
import { isInState, openSessions, type STATES } from "../sessions/state.ts";
import { wordsFor } from "../sessions/words.ts";
import { clipColumns, columnsOf, displayWidth, type Paint, padded, paintFor } from "../shell/terminal.ts";
import { DONE, FAILED, NOT_FOUND, printJson, type World } from "../shell/world.ts";

export interface ListOptions {
	all?: boolean | undefined;
	background?: boolean | undefined;
	state?: (typeof STATES)[number] | undefined;
	limit?: string | undefined;
	json?: boolean | undefined;
}

/** Sessions of which the list reads what they are about. */
const WORK_READ = 200;

/** `pi-sessions list` */
export async function list(options: ListOptions, world: World): Promise<number> {
	const limit = options.limit === undefined ? Number.POSITIVE_INFINITY : Number(options.limit);
	if (limit !== Number.POSITIVE_INFINITY && !/^\d{1,9}$/.test(options.limit ?? "")) {
		world.err.write("pi-sessions list: --limit is a whole number.\n");
		return NOT_FOUND;
	}
	const leaseOf = openSessions(world);
	const reports: ScanReport[] = [];
	const told = (report: ScanReport) => void reports.push(report);
	const found = options.all ? await allSessions(world, told) : await sessionsHere(world, told);
	const unread = unreadLines(reports);
	for (const line of unread) world.err.write(`pi-sessions list: ${line}\n`);
	const code = found.length === 0 && unread.length > 0 ? FAILED : DONE;
	const words = await wordsFor(world);
	// Reading what a session is about takes a moment each: the newest are enough.
	const views = found.map((row, at) => viewOf(at < WORK_READ ? withWork(row) : row, words, leaseOf(row)));
	const wanted = views.filter(({ state }) => isInState(state, options.state));
	if (options.json) {
		const sessions = wanted.slice(0, limit).map(sessionJson);
		printJson({ sessions }, world.out);
		return code;
	}
	// What is live and was asked for by its state is shown, whoever began it.
	const shown = wanted.filter((row) => options.background || options.state || !isBackground(row));
	for (const line of listLines(shown.slice(0, limit), { ...world, words, all: options.all ?? false }))
		world.out.write(`${line}\n`);
	if (code === DONE)
		world.err.write(noteOf(options, { shown: shown.length, folded: wanted.length - shown.length, world }));
	return code;
}

function isBackground({ kind }: SessionView): boolean {
	return kind === "headless" || kind === "child";
}

/** What is not in the list; for people only. */
function noteOf(
	{ all, state }: ListOptions,
	{ shown, folded, world }: { shown: number; folded: number; world: World },
): string {
	const more = folded > 0 ? `${folded} more with --background: headless runs and child sessions.\n` : "";
	if (shown > 0) return world.out.isTTY ? more : "";
	const none = state ? "No session is in that state" : "No sessions";
	const folder = cleanLine(world.sessionDir ?? sessionsRoot(world.agentDir));
	return `${none}${all ? ` (${folder}).` : " in this project; --all lists those of all projects."}\n${more}`;
}

export interface ListView extends Pick<World, "env" | "out" | "now"> {
	words: Words;
	/** Sessions of all projects: each says its own. */
	all: boolean;
}

const GLYPHS: Readonly<Record<SessionState, string>> = {
	needs_you: "!",
	failed: "✗",
	working: "●",
	idle: "○",
	closed: " ",
};

/** One line a session: for a terminal in its width; for a pipe, fields with tabs between them: state, age, id, title, folder, next step. */
export function listLines(rows: readonly SessionView[], view: ListView): string[] {
	const columns = columnsOf(view.out);
	if (columns === undefined) return rows.map((row) => fieldsOf(row, view).join("\t"));
	const paint = paintFor(view.out, view.env);
	return rows.map((row) => terminalLine(row, columns, view, paint));
}

function fieldsOf(row: SessionView, view: ListView): string[] {
	const { state, age, title, project, next } = partsOf(row, view);
	return [state, age, redact(row.id), title, project, next];
}

/** Columns of an id, which is enough to name the session, and of a terminal that has room for it. */
const ID_COLUMNS = 13;
const ID_FROM = 60;

/** The title has two thirds of what the rest leaves, more where it is alone. */
function terminalLine(row: SessionView, columns: number, view: ListView, paint: Paint): string {
	const { state, age, title, project, next } = partsOf(row, view);
	const glyph = painterOf(state, paint)(GLYPHS[state]);
	const id =
		columns < ID_FROM ? "" : `${paint.dim(redact(row.id).slice(0, ID_COLUMNS).padEnd(ID_COLUMNS))}  `;
	const head = `${glyph} ${padded(age, view.words.age.short.columns)}  ${id}`;
	const room = columns - 2 - view.words.age.short.columns - 2 - (id === "" ? 0 : ID_COLUMNS + 2);
	const aside = [view.all ? project : "", next].filter((part) => part !== "").join(" · ");
	const forTitle = aside === "" ? room : Math.max(Math.floor((room * 2) / 3), room - displayWidth(aside) - 3);
	const shown = clipColumns(title, forTitle);
	const left = room - displayWidth(shown) - 3;
	const rest = aside === "" || left < 8 ? "" : paint.dim(` · ${clipColumns(aside, left)}`);
	return head + (state === "closed" ? shown : paint.bold(shown)) + rest;
}

function partsOf({ state, modified, title, project, next = "" }: SessionView, { words, now }: ListView) {
	return { state, age: shortAge(modified, now(), words.age), title, project: project || "?", next };
}

function painterOf(state: SessionState, paint: Paint): (text: string) => string {
	switch (state) {
		case "needs_you":
			return paint.yellow;
		case "failed":
			return paint.red;
		case "working":
			return paint.green;
		default:
			return paint.dim;
	}
}
