import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { findSessions, type Place } from "../../session-core/catalog/find-sessions.ts";
import { scanSessions } from "../../session-core/catalog/listing.ts";
import { pick } from "../../session-core/host/pick.ts";
import { projectOf } from "../../session-core/session-view/view.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { shortAge } from "../../session-core/words/age.ts";
import type { Words } from "../../session-core/words/words.ts";
import { describeState } from "../live/question.ts";
import { type FactsDeps, factsOf, goThere } from "./facts.ts";
import { filtered } from "./filter.ts";
import { foldOf } from "./list.ts";
import { type LiveState, liveStateOf, liveStates } from "./live-states.ts";
import { readMarks } from "./marks.ts";
import { sorted } from "./order.ts";
import { type DecidePorts, decide, type Leaving } from "./questions.ts";
import { type Row, rowOf } from "./row.ts";

/** The board's choices and questions in the host's dialogs: for typed commands, and where there is no terminal (RPC mode). */

type Ui = Pick<ExtensionUIContext, "select">;

/** Sessions that are offered; a longer list is useless without a filter. */
const OFFERED = 60;
const TITLE_COLUMNS = 80;

interface ListView {
	live: readonly LiveState[];
	now: number;
	showProject: boolean;
	words: Words;
}

export interface PlainList {
	agentDir: string;
	/** Undefined: all projects. */
	folders: string[] | undefined;
	query: string;
	live: readonly LiveState[];
	openPath: string | undefined;
	words: Words;
}

/** The newest sessions that match, in the board's order, without the one that is open here. */
export async function plainRows(list: PlainList): Promise<readonly Row[]> {
	const { agentDir, folders, query, live, openPath, words } = list;
	const rows = new Map<string, Row>();
	for await (const batch of scanSessions({ agentDir, folders })) {
		if (batch.stage === "done") break;
		for (const summary of batch.rows) rows.set(summary.path, rowOf(summary, folders !== undefined, words));
	}
	const marks = readMarks(agentDir);
	const listed = sorted(rows.values(), { sort: "needs_you", live, marks }).filter(
		(row) => !foldOf(row, { live, marks }) && row.path !== openPath,
	);
	return filtered(listed, query).rows.slice(0, OFFERED);
}

/** One line for each session. The id at the end distinguishes sessions with the same title. */
export function plainLabel(row: Row, { words, live, now, showProject }: ListView): string {
	const state = liveStateOf(live, row);
	const facts = [
		clipColumns(row.title, TITLE_COLUMNS),
		state && describeState(state, now, words),
		showProject ? projectOf(row.cwd) : undefined,
		shortAge(row.modified, now, words.age),
		row.id.slice(-8),
	];
	return facts.filter(Boolean).join(" · ");
}

/** Lets the user choose one of these sessions. */
export function pickRow(
	ui: Ui,
	question: string,
	rows: readonly Row[],
	view: ListView,
): Promise<Row | undefined> {
	return pick(
		ui,
		question,
		rows.map((row) => ({ label: plainLabel(row, view), value: row })),
	);
}

export interface WantedDeps extends Place {
	ui: Ui;
	words: Words;
	/** Tells the user that there is none. */
	refuse(why: string): void;
	/** False: the session was replaced meanwhile, and nobody waits for an answer. */
	isLive(): boolean;
}

/** The session with this id or title. If there are several, the user chooses. */
export async function pickWanted(wanted: string, deps: WantedDeps): Promise<Row | undefined> {
	const { agentDir, folder, ui, words } = deps;
	const { found, isHere } = await findSessions({ agentDir, folder }, wanted);
	if (!deps.isLive()) return undefined;
	const rows = found.map((summary) => rowOf(summary, isHere, words));
	if (rows.length === 0) {
		const shown = clipColumns(cleanLine(wanted), 60);
		deps.refuse(`no session is called "${shown}". /sessions lists all.`);
	}
	if (rows.length <= 1) return rows[0];
	const now = Date.now();
	const view = { live: liveStates(agentDir, now), now, showProject: !isHere, words };
	return pickRow(ui, `${rows.length} sessions match. Which one?`, rows, view);
}

export interface AskDeps extends Pick<DecidePorts, "here" | "say"> {
	ui: Ui;
	facts: FactsDeps;
}

/** Asks what the board would ask before a session is opened or forked. */
export function decideInDialogs(
	act: "open" | "fork",
	row: Row,
	{ ui, facts, ...ports }: AskDeps,
): Promise<Leaving | undefined> {
	return decide(act, row, {
		...ports,
		facts: (one, of) => factsOf(one, of, facts),
		ask: ({ text, choices }) => pick(ui, text, choices),
		go: (of) => goThere(of, facts),
		words: facts.words,
		isOneKey: false,
	});
}
