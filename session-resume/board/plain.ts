import { scanSessions } from "../../session-core/store/scan.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { shortAge } from "../../session-core/words/age.ts";
import { ENGLISH } from "../../session-core/words/en.ts";
import type { Words } from "../../session-core/words/words.ts";
import { describeState } from "../live/question.ts";
import { foldOf } from "./items.ts";
import { readMarks } from "./marks.ts";
import { matching } from "./match.ts";
import { liveStateOf, sorted } from "./order.ts";
import { projectOf, rowOf } from "./row.ts";
import type { LiveState, Row } from "./types.ts";

/** The board where there is no terminal: a plain choice, for programs that show dialogs of their own. */

/** Sessions that are offered; a list without a filter is no use beyond that. */
const OFFERED = 60;
const TITLE_COLUMNS = 80;

export interface PlainList {
	agentDir: string;
	folders: string[] | undefined;
	query: string;
	live: readonly LiveState[];
	currentPath: string | undefined;
}

/** The newest sessions that match, in the board's order, without the one that is open here. */
export async function plainRows({ agentDir, folders, query, live, currentPath }: PlainList): Promise<Row[]> {
	const rows = new Map<string, Row>();
	for await (const batch of scanSessions({ agentDir, folders })) {
		if (batch.stage === "done") break;
		for (const summary of batch.rows) rows.set(summary.path, rowOf(summary, folders !== undefined));
	}
	const marks = readMarks(agentDir);
	const listed = sorted(rows.values(), { sort: "needs_you", live, marks }).filter(
		(row) => !foldOf(row, { live, marks }) && row.path !== currentPath,
	);
	return matching(listed, query).slice(0, OFFERED);
}

export interface PlainView {
	live: readonly LiveState[];
	now: number;
	showProject: boolean;
	/** Default: English. */
	words?: Words;
}

/** One line a session. The id at the end tells those apart that have one title. */
export function plainLabel(row: Row, { words = ENGLISH, ...view }: PlainView): string {
	const live = liveStateOf(view.live, row);
	const facts = [
		clipColumns(row.title, TITLE_COLUMNS),
		live && describeState(live, view.now, words),
		view.showProject ? projectOf(row.cwd) : undefined,
		shortAge(row.modified, view.now, words.age),
		row.id.slice(-8),
	];
	return facts.filter(Boolean).join(" · ");
}
