import type { SessionSource } from "../../session-core/session/entry.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { describeAge } from "../card/age.ts";
import { promptsOn, readWhole } from "../from/entry.ts";
import { listSessions, type Place } from "../from/listing.ts";
import { fold, matchSessions, shortId, titleOf } from "../from/match.ts";
import type { CommandName, Completion } from "../running.ts";
import { CARD_OPTIONS } from "./card-parse.ts";
import { FROM_OPTIONS } from "./from-parse.ts";
import { HERE_OPTIONS } from "./here-parse.ts";
import { completeOptions } from "./options.ts";

export interface Completing extends Place {
	/** The session that is open. */
	open: { id: string; source: SessionSource };
	now(): number;
}

/** Rows that a list under the editor is good for. */
const OFFERED = 20;
const TITLE_COLUMNS = 60;

/** Completions for what stands behind one of the commands; null: none fits. */
export async function completeCommand(
	name: CommandName,
	prefix: string,
	completing: Completing,
): Promise<Completion[] | null> {
	if (name === "recap-card") return completeOptions(CARD_OPTIONS, prefix);
	if (name === "resume-here") return completeOptions(HERE_OPTIONS, prefix);
	const typed = prefix.trimStart();
	const point = /^(.*?)\s*--at\s+([0-9a-f]*)$/i.exec(typed);
	if (point) return completePoint(point[1] ?? "", point[2] ?? "", completing);
	if (typed.startsWith("-")) return completeOptions(FROM_OPTIONS, typed);
	return completeSession(typed, completing);
}

async function completeSession(typed: string, completing: Completing): Promise<Completion[] | null> {
	const rows = await others(completing);
	const fitting = typed === "" ? rows : matchSessions(rows, typed);
	if (fitting.length === 0 || fitting.some((row) => valueFor(row, rows) === typed)) return null;
	return fitting.slice(0, OFFERED).map((row) => ({
		value: valueFor(row, rows),
		label: clipColumns(titleOf(row), TITLE_COLUMNS) || row.id,
		description: `${describeAge(row.modified, completing.now())} · ${shortId(row.id, rows)}`,
	}));
}

/** The user's prompts, as points to go back to. */
async function completePoint(
	wanted: string,
	typed: string,
	completing: Completing,
): Promise<Completion[] | null> {
	const source = wanted === "" ? completing.open.source : await sourceOf(wanted, completing);
	if (!source) return null;
	const points = promptsOn(source).filter(({ id }) => id.startsWith(typed.toLowerCase()));
	if (points.length === 0 || points.some(({ id }) => id === typed)) return null;
	return points.slice(0, OFFERED).map(({ id, text }) => ({
		value: [wanted, "--at", id].filter(Boolean).join(" "),
		label: id,
		description: text,
	}));
}

async function sourceOf(wanted: string, completing: Completing): Promise<SessionSource | undefined> {
	const [only, ...rest] = matchSessions(await others(completing), wanted);
	if (!only || rest.length > 0) return undefined;
	const opened = readWhole(only.path);
	return opened.ok ? opened.session : undefined;
}

async function others({ agentDir, folder, open }: Completing): Promise<SessionSummary[]> {
	const rows = await listSessions({ agentDir, folders: [folder] });
	return rows.filter(({ id, kind }) => id !== open.id && kind !== "child" && kind !== "headless");
}

/** The title where it says which session is meant, else the beginning of the id. */
function valueFor(row: SessionSummary, rows: readonly SessionSummary[]): string {
	const title = titleOf(row);
	const isPlain = title !== "" && !title.startsWith("-") && !title.endsWith("…") && !/\s--/.test(title);
	const isUnique = isPlain && rows.filter((other) => fold(titleOf(other)) === fold(title)).length === 1;
	return isUnique && title.length <= TITLE_COLUMNS ? title : shortId(row.id, rows);
}
