import { homedir } from "node:os";
import { titleOf } from "../../session-core/find/match.ts";
import { nextLines } from "../../session-core/recap/text.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";
import { redact } from "../../session-core/text/redact.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { projectName } from "../../session-core/today/parts.ts";
import { shortAge } from "../../session-core/words/age.ts";
import type { Words } from "../../session-core/words/words.ts";
import { isFresh } from "../sessions/json.ts";
import type { LiveSessions, SessionState } from "../sessions/state.ts";
import { clipColumns, columnsOf, displayWidth, type Paint, padded, paintFor } from "../shell/paint.ts";
import type { World } from "../shell/world.ts";

export interface ListView extends Pick<World, "env" | "out" | "now"> {
	live: LiveSessions;
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
export function listLines(rows: readonly SessionSummary[], view: ListView): string[] {
	const columns = columnsOf(view.out);
	if (columns === undefined) return rows.map((row) => fieldsOf(row, view).join("\t"));
	const paint = paintFor(view.out, view.env);
	return rows.map((row) => terminalLine(row, columns, view, paint));
}

function fieldsOf(row: SessionSummary, view: ListView): string[] {
	const { state, age, title, project, next } = partsOf(row, view);
	return [state, age, redact(row.id), title, project, next];
}

/** The title has two thirds of what the rest leaves, more where it is alone. */
function terminalLine(row: SessionSummary, columns: number, view: ListView, paint: Paint): string {
	const { state, age, title, project, next } = partsOf(row, view);
	const glyph = painterOf(state, paint)(GLYPHS[state]);
	const head = `${glyph} ${padded(age, view.words.age.short.columns)}  `;
	const room = columns - 2 - view.words.age.short.columns - 2;
	const aside = [view.all ? project : "", next].filter((part) => part !== "").join(" · ");
	const forTitle = aside === "" ? room : Math.max(Math.floor((room * 2) / 3), room - displayWidth(aside) - 3);
	const shown = clipColumns(title, forTitle);
	const left = room - displayWidth(shown) - 3;
	const rest = aside === "" || left < 8 ? "" : paint.dim(` · ${clipColumns(aside, left)}`);
	return head + (state === "closed" ? shown : paint.bold(shown)) + rest;
}

function partsOf(row: SessionSummary, { live, words, now }: ListView) {
	const state: SessionState = live.of(row)?.state ?? "closed";
	const [next = workOf(row)?.next ?? ""] = row.recap && isFresh(row) ? nextLines(row.recap, words) : [];
	return {
		state,
		age: shortAge(row.modified, now(), words.age),
		title: cleanLine(titleOf(row)) || words.board.noMessages,
		project: projectName(cleanLine(row.cwd), homedir()),
		next: cleanLine(next),
	};
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

/** What a session without a current record is about, where a board has found that out. */
function workOf({ work, last }: SessionSummary): SessionSummary["work"] {
	return work?.of === last?.id ? work : undefined;
}
