import { type ExtensionContext, getAgentDir, pickFrom } from "../../session-core/pi/index.ts";
import {
	describeState,
	findSessions,
	listSessions,
	openLeases,
	readMarks,
	type SessionView,
	toldApart,
} from "../../session-core/sessions/index.ts";
import { cleanLine, clipColumns, shortAge, shownPath } from "../../session-core/text/index.ts";
import { decider } from "../leaving/ask.ts";
import { List, type Row, rowOf, type Scope, withLive } from "./list.ts";

export interface Dialogs {
	ctx: ExtensionContext;
	say(text: string, kind?: "info" | "warning"): void;
	over: AbortSignal;
}

/** A dialog in pi cannot be filtered, so it offers at most this many sessions. */
const OFFERED = 60;
const TITLE_COLUMNS = 80;

export async function pickPlainly(
	scope: Scope,
	query: string,
	{ ctx, say }: Dialogs,
): Promise<Row | undefined> {
	const isAll = scope === "all";
	const { sessionManager: manager } = ctx;
	const agentDir = getAgentDir();
	const openPath = manager.getSessionFile();
	const place = isAll ? {} : { folders: [manager.getSessionDir()], project: ctx.cwd };
	const found = await listSessions({ agentDir, ...place });
	const list = new List({ scope, query, openPath, marks: readMarks(agentDir), page: OFFERED });
	list.change({ sessions: found.map((one) => rowOf(one, !isAll)), live: openLeases(agentDir, Date.now()) });
	const rows = list.items.flatMap((item) => (item.type === "session" ? [item.row] : []));
	const others = rows.filter(({ path }) => path !== openPath).slice(0, OFFERED);
	if (others.length > 0) return pickRow(ctx.ui, "Resume which session?", others, isAll);
	const more = " in this project. /sessions --all lists those of all projects.";
	say(`no other sessions${isAll ? "." : more}`, "info");
	return undefined;
}

function pickRow(
	ui: Dialogs["ctx"]["ui"],
	question: string,
	rows: readonly Row[],
	showProject: boolean,
): Promise<Row | undefined> {
	const now = Date.now();
	const labels = rows.map((row) => {
		const title = clipColumns(row.title, TITLE_COLUMNS);
		const state = row.lease && describeState(row.lease, now);
		const project = showProject && row.project;
		const facts = [title, state, project, shortAge(row.modified, now), row.id.slice(-8)];
		return facts.filter(Boolean).join(" · ");
	});
	const choices = rows.map((row, index) => {
		const label = labels[index] ?? "";
		const isCopied = labels.indexOf(label) !== labels.lastIndexOf(label);
		return { label: isCopied ? `${label} · ${shownPath(row.path)}` : label, value: row };
	});
	return pickFrom(ui, question, choices);
}

export async function pickWanted(wanted: string, { ctx, say, over }: Dialogs): Promise<Row | undefined> {
	const agentDir = getAgentDir();
	const place = { agentDir, cwd: ctx.cwd, folder: ctx.sessionManager.getSessionDir() };
	const { found, isHere } = await findSessions(wanted, { ...place, isPerson: true });
	if (over.aborted) return undefined;
	const summaries = found.map((summary) => rowOf(summary, isHere));
	const rows = withLive(summaries, openLeases(agentDir, Date.now()));
	if (rows.length === 0)
		say(`no session matches "${clipColumns(cleanLine(wanted), 60)}". /sessions lists them.`);
	if (rows.length <= 1) return rows[0];
	return pickRow(ctx.ui, `${rows.length} sessions match. Which one?`, toldApart(rows, "all"), !isHere);
}

export function decideInDialogs(act: "open" | "fork" | undefined, row: SessionView, { ctx, say }: Dialogs) {
	const decided = decider(ctx, { isOneKey: false });
	return decided(act, row, {
		say,
		ask: ({ text, choices }) => pickFrom(ctx.ui, text, choices),
	});
}
