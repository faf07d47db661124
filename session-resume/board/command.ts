import { findSessions, listSessions } from "../../session-core/catalog/index.ts";
import {
	type CommandOption,
	type Completion,
	completeOptions,
	helpText,
	keyHelp,
	readArguments,
	readShortcuts,
	unknownText,
} from "../../session-core/command/index.ts";
import {
	type ExtensionAPI,
	type ExtensionCommandContext,
	type ExtensionContext,
	getAgentDir,
	isInTerminal,
	ownDialog,
	pickFrom,
	submitCommand,
} from "../../session-core/host/index.ts";
import { projectOf } from "../../session-core/session-view/view.ts";
import { cleanLine, clipColumns } from "../../session-core/text/index.ts";
import { describeState, shortAge } from "../../session-core/words/index.ts";
import { liveStates } from "../live/others.ts";
import { factsOf, goThere } from "./acts.ts";
import { showBoard } from "./component.ts";
import { leaveFor } from "./leave.ts";
import { emptyList, relisted, type Scope } from "./list.ts";
import { readMarks } from "./marks.ts";
import { decide, type Leaving } from "./questions.ts";
import { type Row, rowOf, withLive } from "./row.ts";

export { warmUp } from "../../session-core/session-view/work.ts";

/** Runs `/sessions`, and asks the board's questions in the host's dialogs for typed commands and in RPC mode. */

type SessionsAction =
	| { type: "board"; scope: Scope; query: string }
	| { type: "fork"; wanted: string }
	| { type: "help" }
	| { type: "unknown"; word: string };

const OPTIONS: readonly CommandOption[] = [
	{ value: "", description: "List this project's sessions, live ones first" },
	{ value: "<words>", description: "Only sessions with these words in the title, first prompt or recap" },
	{ value: "--all", description: "Sessions of all projects, with or without words" },
	{ value: "--fork <title|id>", description: "Continue in a fork of a session" },
	{ value: "-- <words>", description: "Words that begin with --" },
	{ value: "--help", description: "Show this help" },
];

const NOTES = [
	"On the board: type to filter, Enter resumes, Ctrl+G searches messages, F1 explains keys, symbols and the filter, Esc closes.",
];

/** Parses the arguments of `/sessions`. Everything that is not an option is part of the filter. */
export function parseSessions(args: string): SessionsAction {
	const given = readArguments(args, { switches: ["--all", "--fork"] });
	if (given.type !== "given") return given;
	if (given.has("--fork")) return { type: "fork", wanted: given.text };
	return { type: "board", scope: given.has("--all") ? "all" : "project", query: given.text };
}

export function completeSessions(prefix: string): Completion[] | null {
	return completeOptions(OPTIONS, prefix);
}

export function sessionsHelp(notes: readonly string[] = []): string {
	return helpText("sessions", OPTIONS, [...NOTES, ...notes]);
}

interface SessionsDeps {
	pi: Pick<ExtensionAPI, "setSessionName" | "appendEntry">;
	ctx: ExtensionCommandContext;
	/** Aborts when the session ends. */
	over: AbortSignal;
}

export async function runSessions(args: string, deps: SessionsDeps): Promise<void> {
	const { ctx, over } = deps;
	const say: Dialogs["say"] = (text, kind = "warning") => ctx.ui.notify(`sessions: ${text}`, kind);
	const dialogs = { ctx, say, isOver: () => over.aborted };
	const action = parseSessions(args);
	switch (action.type) {
		case "help":
			ctx.ui.notify(sessionsHelp(keyHelp("board", readShortcuts(getAgentDir()).keys)));
			break;
		case "unknown":
			ctx.ui.notify(unknownText("sessions", action.word), "warning");
			break;
		case "fork":
			if (action.wanted === "") say("--fork needs a session: its title or its id.");
			else await leave("fork", await pickWanted(action.wanted, dialogs), dialogs);
			break;
		case "board": {
			const { scope, query } = action;
			if (isInTerminal(ctx)) {
				const chosen = await ownDialog(() => showBoard({ ...deps, scope, query }));
				if (chosen?.act === "hand_over") handOver(chosen.id, dialogs);
				else await leaveBoard(chosen, dialogs);
				break;
			}
			const row = await pickPlainly(scope, query, dialogs);
			await leave(row?.branches ? "fork" : "open", row, dialogs);
		}
	}
}

async function leave(
	act: "open" | "fork",
	row: Row | undefined,
	dialogs: Dialogs & { ctx: ExtensionCommandContext },
): Promise<void> {
	await leaveBoard(row && (await decideInDialogs(act, row, dialogs)), dialogs);
}

/** Only a typed command may open a new session. */
function handOver(id: string, { ctx, say }: Dialogs): void {
	const command = `/resume-from ${id}`;
	if (!submitCommand(ctx.ui, command)) say(`type ${command} to continue this session in pi.`);
}

async function leaveBoard(
	leaving: Leaving | undefined,
	{ ctx, say }: Dialogs & { ctx: ExtensionCommandContext },
): Promise<void> {
	const arrived = leaving && (await leaveFor(leaving, ctx, say));
	// The message is shown only now, because the host repaints the session after the switch and would overwrite an earlier message.
	if (arrived?.done) arrived.ui.notify(arrived.done);
}

/** A typed command that asks in the host's dialogs. */
export interface Dialogs {
	ctx: Pick<ExtensionContext, "ui" | "cwd" | "isIdle" | "sessionManager">;
	/** Shows an answer of the command. Default: a warning. */
	say(text: string, kind?: "info" | "warning"): void;
	/** Whether the session has been replaced in the meantime. */
	isOver(): boolean;
}

async function pickPlainly(scope: Scope, query: string, { ctx, say }: Dialogs): Promise<Row | undefined> {
	const isAll = scope === "all";
	const { ui, sessionManager: manager } = ctx;
	const start = { scope, query, openPath: manager.getSessionFile() };
	const rows = await plainRows(start, manager.getSessionDir());
	if (rows.length > 0) return pickRow(ui, "Resume which session?", rows, isAll);
	say(
		isAll
			? "no other sessions."
			: "no other sessions in this project. /sessions --all lists those of all projects.",
		"info",
	);
	return undefined;
}

/** Maximum number of sessions in a dialog. A longer list would be useless, because a dialog cannot be filtered. */
const OFFERED = 60;
const TITLE_COLUMNS = 80;

/** Returns the first sessions that the board would list, without the session that is open here. `folder`: that of this project. */
export async function plainRows(
	start: { scope: Scope; query: string; openPath: string | undefined },
	folder: string,
): Promise<readonly Row[]> {
	const agentDir = getAgentDir();
	const isAll = start.scope === "all";
	const found = await listSessions({ agentDir, folders: isAll ? undefined : [folder] });
	const sessions = found.map((one) => rowOf(one, !isAll));
	const list = emptyList({ ...start, marks: readMarks(agentDir), page: OFFERED });
	const { items } = relisted(list, { sessions, live: liveStates(agentDir) });
	const rows = items.flatMap((item) => (item.type === "session" ? [item.row] : []));
	return rows.filter(({ path }) => path !== start.openPath).slice(0, OFFERED);
}

/** Returns a session's label on one line. The id at the end distinguishes sessions with the same title. */
export function plainLabel(row: Row, { now, showProject }: { now: number; showProject: boolean }): string {
	const facts = [
		clipColumns(row.title, TITLE_COLUMNS),
		row.live && describeState(row.live, now),
		showProject ? projectOf(row.cwd) : undefined,
		shortAge(row.modified, now),
		row.id.slice(-8),
	];
	return facts.filter(Boolean).join(" · ");
}

function pickRow(
	ui: Dialogs["ctx"]["ui"],
	question: string,
	rows: readonly Row[],
	showProject: boolean,
): Promise<Row | undefined> {
	const now = Date.now();
	const labels = rows.map((row) => plainLabel(row, { now, showProject }));
	const choices = rows.map((row, index) => {
		const label = labels[index] ?? "";
		// Copies of a session file have the same id, so only their paths tell them apart.
		const isCopied = labels.filter((other) => other === label).length > 1;
		return { label: isCopied ? `${label} · ${projectOf(row.path)}` : label, value: row };
	});
	return pickFrom(ui, question, choices);
}

/** Returns the session with this id or title. If there are several, the user chooses. */
export async function pickWanted(wanted: string, { ctx, say, isOver }: Dialogs): Promise<Row | undefined> {
	const agentDir = getAgentDir();
	const folder = ctx.sessionManager.getSessionDir();
	const { found, isHere } = await findSessions({ agentDir, folder }, wanted);
	if (isOver()) return undefined;
	const summaries = found.map((summary) => rowOf(summary, isHere));
	const rows = withLive(summaries, liveStates(agentDir));
	if (rows.length === 0)
		say(`no session matches "${clipColumns(cleanLine(wanted), 60)}". /sessions lists them.`);
	if (rows.length <= 1) return rows[0];
	return pickRow(ctx.ui, `${rows.length} sessions match. Which one?`, rows, !isHere);
}

/** Asks the board's questions in dialogs before a session is opened or forked. */
export async function decideInDialogs(
	act: "open" | "fork",
	row: Row,
	{ ctx, say }: Dialogs,
): Promise<Leaving | undefined> {
	return decide(act, row, {
		here: ctx.cwd,
		say,
		facts: (one, of) => factsOf(one, of, ctx),
		ask: ({ text, choices }) => pickFrom(ctx.ui, text, choices),
		go: goThere,
		isOneKey: false,
	});
}
