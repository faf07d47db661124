import { meant } from "../../session-core/find/list-sessions.ts";
import { titleOf } from "../../session-core/find/match.ts";
import { nearest } from "../../session-core/find/nearest.ts";
import type { ScanReport } from "../../session-core/store/scan.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { redact } from "../../session-core/text/redact.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { allSessions, type Here, sessionsHere } from "./place.ts";
import { unreadLines } from "./unread.ts";

/** Sessions that are named where one was meant, or nearly was. */
const TOLD = 5;

export type Found = { ok: true; row: SessionSummary } | { ok: false; told: string };

/** The one session that is meant: of this project, else of any. `told`: why there is none, in lines for the user. */
export async function findSession(wanted: string, world: Here): Promise<Found> {
	const reports: ScanReport[] = [];
	const told = (report: ScanReport) => void reports.push(report);
	const here = meant(await sessionsHere(world, told), wanted);
	if (here.length > 0) return theOne(here, wanted);
	const all = await allSessions(world, told);
	const found = meant(all, wanted);
	if (found.length > 0) return theOne(found, wanted);
	const near = nearest(wanted, all, titleOf);
	const lines = near.length === 0 ? [] : ["Did you mean:", ...near.map(listed)];
	const short = /^[0-9a-f]{1,3}$/i.test(wanted) ? ["Of an id, four characters are needed."] : [];
	const none = `no session is called "${shown(wanted)}".`;
	return { ok: false, told: [none, ...short, ...lines, ...unreadLines(reports)].join("\n") };
}

function theOne(found: readonly SessionSummary[], wanted: string): Found {
	const [row] = found;
	if (row && found.length === 1) return { ok: true, row };
	const isById = new Set(found.map(({ id }) => id)).size === found.length;
	const more = found.length > TOLD ? [`  … and ${found.length - TOLD} more`] : [];
	const lines = [...found.slice(0, TOLD).map(isById ? listed : listedByFile), ...more];
	return {
		ok: false,
		told: [
			`${found.length} sessions are called "${shown(wanted)}". Say which by its ${isById ? "id" : "file"}:`,
			...lines,
		].join("\n"),
	};
}

function listed(row: SessionSummary): string {
	return `  ${redact(row.id)}  ${clipColumns(titleOf(row) || "(no messages)", 80)}`;
}

/** Copied files have one id. */
function listedByFile(row: SessionSummary): string {
	return `  ${row.path}  ${clipColumns(titleOf(row) || "(no messages)", 80)}`;
}

function shown(text: string): string {
	return clipColumns(cleanLine(text), 60);
}
