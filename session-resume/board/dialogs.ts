import { dirname, isAbsolute } from "node:path";
import { type ExtensionContext, getAgentDir, pickFrom } from "../../session-core/pi/host/index.ts";
import {
	describeState,
	findSessions,
	listSessions,
	projectOf,
	sessionAt,
	toldApart,
} from "../../session-core/sessions/index.ts";
import { cleanLine, clipColumns, shortAge } from "../../session-core/text/index.ts";
import { createActs } from "./acts.ts";
import { emptyList, relisted, type Scope } from "./list.ts";
import { decide, type Leaving } from "./questions.ts";
import { type Row, rowOf, withLive } from "./row.ts";

/** The board in the host's dialogs, for typed commands and RPC mode. */

/** What a typed command needs to ask questions in the host's dialogs. */
export interface Dialogs {
	pi: Parameters<typeof createActs>[0];
	ctx: Pick<ExtensionContext, "ui" | "cwd" | "isIdle" | "sessionManager">;
	/** Shows the command's answer. Default: a warning. */
	say(text: string, kind?: "info" | "warning"): void;
	isOver(): boolean;
}

/** Maximum number of sessions in a dialog. A longer list would be useless, because a dialog cannot be filtered. */
const OFFERED = 60;
const TITLE_COLUMNS = 80;

/** Lets the user choose from the first sessions that the board would list, except the session that is open here. */
export async function pickPlainly(
	scope: Scope,
	query: string,
	{ pi, ctx, say }: Dialogs,
): Promise<Row | undefined> {
	const isAll = scope === "all";
	const { ui, sessionManager: manager } = ctx;
	const acts = createActs(pi, ctx);
	const openPath = manager.getSessionFile();
	const folders = isAll ? undefined : [manager.getSessionDir()];
	const found = await listSessions({ agentDir: getAgentDir(), folders });
	const list = emptyList({ scope, query, openPath, marks: acts.marks(), page: OFFERED });
	const sessions = found.map((one) => rowOf(one, !isAll));
	const { items } = relisted(list, { sessions, live: acts.live() });
	const rows = items.flatMap((item) => (item.type === "session" ? [item.row] : []));
	const others = rows.filter(({ path }) => path !== openPath).slice(0, OFFERED);
	if (others.length > 0) return pickRow(ui, "Resume which session?", others, isAll);
	say(
		isAll
			? "no other sessions."
			: "no other sessions in this project. /sessions --all lists those of all projects.",
		"info",
	);
	return undefined;
}

/** Returns a session's label on one line. The id at the end distinguishes sessions with the same title. */
function plainLabel(row: Row, now: number, showProject: boolean): string {
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
	const labels = rows.map((row) => plainLabel(row, now, showProject));
	const choices = rows.map((row, index) => {
		const label = labels[index] ?? "";
		// Copies of a session file have the same id, so only their paths tell them apart.
		const isCopied = labels.filter((other) => other === label).length > 1;
		return { label: isCopied ? `${label} · ${projectOf(row.path)}` : label, value: row };
	});
	return pickFrom(ui, question, choices);
}

export async function pickWanted(
	wanted: string,
	{ pi, ctx, say, isOver }: Dialogs,
): Promise<Row | undefined> {
	const agentDir = getAgentDir();
	const folder = ctx.sessionManager.getSessionDir();
	const named = isAbsolute(wanted) ? await sessionAt(wanted, agentDir) : undefined;
	const { found, isHere } = named
		? { found: [named], isHere: dirname(wanted) === folder }
		: await findSessions({ agentDir, folder }, wanted);
	if (isOver()) return undefined;
	const summaries = found.map((summary) => rowOf(summary, isHere));
	const rows = withLive(summaries, createActs(pi, ctx).live());
	if (rows.length === 0)
		say(`no session matches "${clipColumns(cleanLine(wanted), 60)}". /sessions lists them.`);
	if (rows.length <= 1) return rows[0];
	return pickRow(ctx.ui, `${rows.length} sessions match. Which one?`, toldApart(rows, "all"), !isHere);
}

export async function decideInDialogs(
	act: "open" | "fork",
	row: Row,
	{ pi, ctx, say }: Dialogs,
): Promise<Leaving | undefined> {
	return decide(act, row, {
		...createActs(pi, ctx),
		say,
		ask: ({ text, choices }) => pickFrom(ctx.ui, text, choices),
		isOneKey: false,
	});
}
