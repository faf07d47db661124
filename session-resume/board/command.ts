import {
	type ExtensionAPI,
	type ExtensionCommandContext,
	type ExtensionContext,
	type ExtensionUIContext,
	getAgentDir,
} from "@mariozechner/pi-coding-agent";
import { findSessions, listSessions, type SessionPlace } from "../../session-core/catalog/listing.ts";
import { keyHelp, readShortcuts } from "../../session-core/command/key-bindings.ts";
import {
	type CommandOption,
	type Completion,
	completeOptions,
	helpText,
	readArguments,
	unknownText,
} from "../../session-core/command/options.ts";
import { ownDialog } from "../../session-core/host/host-events.ts";
import { pick } from "../../session-core/host/screen.ts";
import { isInTerminal } from "../../session-core/host/tui.ts";
import { projectOf } from "../../session-core/session-view/view.ts";
import { foldCase } from "../../session-core/text/case-folding.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { redact } from "../../session-core/text/redact.ts";
import { isRequestToUser } from "../../session-core/text/reply.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { describeState, shortAge } from "../../session-core/words/age.ts";
import { liveStates } from "../live/others.ts";
import { type FactsDeps, factsOf, goThere } from "./acts.ts";
import { showBoard } from "./component.ts";
import { filtered } from "./filter.ts";
import { leaveFor } from "./leave.ts";
import { foldOf, type Scope } from "./list.ts";
import { readMarks } from "./marks.ts";
import { sorted } from "./order.ts";
import { type DecidePorts, decide, type Leaving } from "./questions.ts";
import { type Row, rowOf, withLive } from "./row.ts";

/** Runs `/sessions`, and asks the board's questions in the host's dialogs for typed commands and in RPC mode. */

export type SessionsAction =
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

/** Compiles the large patterns that the first paint needs, which takes 15 ms. The engine compiles a pattern when it is used. */
export function warmUp(): void {
	for (const text of ["Commit it?", "Please run it."]) {
		redact(text);
		isRequestToUser(text);
		foldCase(text);
	}
}

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

/** Returns the answer to `/sessions --help`. */
export function sessionsHelp(notes: readonly string[] = []): string {
	return helpText("sessions", OPTIONS, [...NOTES, ...notes]);
}

export interface SessionsDeps {
	pi: Pick<ExtensionAPI, "setSessionName" | "appendEntry">;
	ctx: ExtensionCommandContext;
	/** Aborts when the session ends. */
	over: AbortSignal;
}

/** Runs `/sessions …`. */
export async function runSessions(args: string, deps: SessionsDeps): Promise<void> {
	const { ctx } = deps;
	const action = parseSessions(args);
	switch (action.type) {
		case "help":
			ctx.ui.notify(sessionsHelp(keyHelp("board", readShortcuts(getAgentDir()).keys)));
			break;
		case "unknown":
			ctx.ui.notify(unknownText("sessions", action.word), "warning");
			break;
		case "fork":
			await leave(await chooseFork(action.wanted, deps), deps);
			break;
		case "board":
			await leave(await choose(action.scope, action.query, deps), deps);
	}
}

async function choose(scope: Scope, query: string, deps: SessionsDeps): Promise<Leaving | undefined> {
	if (!isInTerminal(deps.ctx)) return choosePlainly(scope, query, deps);
	return ownDialog(() => showBoard({ ...deps, scope, query, facts: factsDeps(deps) }));
}

async function choosePlainly(scope: Scope, query: string, deps: SessionsDeps): Promise<Leaving | undefined> {
	const { ctx } = deps;
	const agentDir = getAgentDir();
	const rows = await plainRows({
		agentDir,
		folders: scope === "all" ? undefined : [ctx.sessionManager.getSessionDir()],
		query,
		openPath: ctx.sessionManager.getSessionFile(),
	});
	if (rows.length === 0) {
		ctx.ui.notify(
			scope === "all"
				? "sessions: no other sessions."
				: "sessions: no other sessions in this project. /sessions --all lists those of all projects.",
		);
		return undefined;
	}
	const row = await pickRow(ctx.ui, "Resume which session?", rows, scope === "all");
	return row && ask(row.branches ? "fork" : "open", row, deps);
}

async function chooseFork(wanted: string, deps: SessionsDeps): Promise<Leaving | undefined> {
	const { ctx } = deps;
	if (wanted === "") {
		refuse(ctx, "--fork needs a session: its title or its id.");
		return undefined;
	}
	const row = await pickWanted(wanted, {
		agentDir: getAgentDir(),
		folder: ctx.sessionManager.getSessionDir(),
		ui: ctx.ui,
		refuse: (why) => refuse(ctx, why),
		isLive: () => !deps.over.aborted,
	});
	return row && ask("fork", row, deps);
}

function ask(act: "open" | "fork", row: Row, deps: SessionsDeps): Promise<Leaving | undefined> {
	const { ctx } = deps;
	const say: DecidePorts["say"] = (text, kind) => ctx.ui.notify(`sessions: ${text}`, kind);
	return decideInDialogs(act, row, { ctx, say });
}

function refuse({ ui }: Pick<ExtensionCommandContext, "ui">, why: string): void {
	ui.notify(`sessions: ${why}`, "warning");
}

async function leave(leaving: Leaving | undefined, { ctx }: SessionsDeps): Promise<void> {
	if (!leaving) return;
	const left = await leaveFor(leaving, { ctx, sessionDir: ctx.sessionManager.getSessionDir() });
	// The message is shown only now, because the host repaints the session after the switch and would overwrite an earlier message.
	if (left.ok && left.done !== "") left.ui.notify(left.done);
	if (!left.ok && left.reason === "not_copied") refuse(ctx, left.detail);
}

function factsDeps({ ctx }: Pick<AskDeps, "ctx">): FactsDeps {
	return {
		agentDir: getAgentDir(),
		isBusy: () => !ctx.isIdle(),
		hostAsksForCwd: isInTerminal(ctx),
	};
}

type Ui = Pick<ExtensionUIContext, "select">;

/** Maximum number of sessions in a dialog. A longer list would be useless, because a dialog cannot be filtered. */
const OFFERED = 60;
const TITLE_COLUMNS = 80;

interface PlainList {
	agentDir: string;
	/** Undefined: all projects. */
	folders: string[] | undefined;
	query: string;
	openPath: string | undefined;
}

/** Returns the newest matching sessions in the board's order, without the session that is open here. */
export async function plainRows({ agentDir, folders, query, openPath }: PlainList): Promise<readonly Row[]> {
	const found = (await listSessions({ agentDir, folders })).map((one) => rowOf(one, folders !== undefined));
	const marks = readMarks(agentDir);
	const rows = withLive(found, liveStates(agentDir));
	const listed = sorted(rows, { sort: "needs_you", marks }).filter(
		(row) => !foldOf(row, marks) && row.path !== openPath,
	);
	return filtered(listed, query).rows.slice(0, OFFERED);
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
	ui: Ui,
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
	return pick(ui, question, choices);
}

interface WantedDeps extends SessionPlace {
	ui: Ui;
	/** Reports that no session matches. */
	refuse(why: string): void;
	/** Whether the session is still open, that is, has not been replaced in the meantime. */
	isLive(): boolean;
}

/** Returns the session with this id or title. If there are several, the user chooses. */
export async function pickWanted(wanted: string, deps: WantedDeps): Promise<Row | undefined> {
	const { agentDir, folder, ui } = deps;
	const { found, isHere } = await findSessions({ agentDir, folder }, wanted);
	if (!deps.isLive()) return undefined;
	const rows = withLive(
		found.map((summary) => rowOf(summary, isHere)),
		liveStates(agentDir),
	);
	if (rows.length === 0) {
		const shown = clipColumns(cleanLine(wanted), 60);
		deps.refuse(`no session matches "${shown}". /sessions lists them.`);
	}
	if (rows.length <= 1) return rows[0];
	return pickRow(ui, `${rows.length} sessions match. Which one?`, rows, !isHere);
}

interface AskDeps extends Pick<DecidePorts, "say"> {
	ctx: Pick<ExtensionContext, "ui" | "cwd" | "isIdle">;
}

/** Asks the board's questions in dialogs before a session is opened or forked. */
export async function decideInDialogs(
	act: "open" | "fork",
	row: Row,
	{ ctx, say }: AskDeps,
): Promise<Leaving | undefined> {
	const facts = factsDeps({ ctx });
	return decide(act, row, {
		here: ctx.cwd,
		say,
		facts: (one, of) => factsOf(one, of, facts),
		ask: ({ text, choices }) => pick(ctx.ui, text, choices),
		go: (of) => goThere(of, facts),
		isOneKey: false,
	});
}
