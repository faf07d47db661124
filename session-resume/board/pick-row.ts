import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { findSessions, type Place } from "../../session-core/find/list-sessions.ts";
import { pick } from "../../session-core/terminal/pick.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { liveStates } from "./live-states.ts";
import { type PlainView, plainLabel } from "./plain.ts";
import { rowOf } from "./row.ts";
import type { Row } from "./types.ts";

type Ui = Pick<ExtensionUIContext, "select">;

/** Let the user choose one of these sessions in the host's dialog. */
export function pickRow(
	ui: Ui,
	question: string,
	rows: readonly Row[],
	view: PlainView,
): Promise<Row | undefined> {
	return pick(
		ui,
		question,
		rows.map((row) => ({ label: plainLabel(row, view), value: row })),
	);
}

export interface WantedDeps extends Place {
	ui: Ui;
	/** Tell the user that there is none. */
	refuse(why: string): void;
	/** False: the session was replaced meanwhile, and nobody waits for an answer. */
	isLive(): boolean;
}

/** The session that is meant by an id or a title; where several are, the user says which. */
export async function pickWanted(
	wanted: string,
	{ agentDir, folder, ui, refuse, isLive }: WantedDeps,
): Promise<Row | undefined> {
	const { found, isHere } = await findSessions({ agentDir, folder }, wanted);
	if (!isLive()) return undefined;
	const rows = found.map((summary) => rowOf(summary, isHere));
	if (rows.length === 0)
		refuse(`no session is called "${clipColumns(cleanLine(wanted), 60)}". /sessions lists all.`);
	if (rows.length <= 1) return rows[0];
	const now = Date.now();
	const view = { live: liveStates(agentDir, now), now, showProject: !isHere };
	return pickRow(ui, `${rows.length} sessions are called that. Which one?`, rows, view);
}
