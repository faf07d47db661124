import { type ScanOptions, type ScanReport, scanSessions } from "./listing.ts";
import { matchSessions } from "./match.ts";
import type { SessionSummary } from "./summary.ts";

export interface Place {
	agentDir: string;
	/** The folder of the open session's file, which is searched first. */
	folder: string;
}

/**
 * Returns all sessions in the given folders, or in all projects if no folders are given, newest first. `onReport` is called with the report
 * of the listing.
 */
export async function listSessions(
	options: ScanOptions,
	onReport?: (report: ScanReport) => void,
): Promise<SessionSummary[]> {
	const rows = new Map<string, SessionSummary>();
	for await (const batch of scanSessions(options)) {
		if (batch.stage === "done") {
			onReport?.(batch.report);
			break;
		}
		for (const row of batch.rows) rows.set(row.path, row);
	}
	return [...rows.values()].toSorted(
		(one, other) => other.modified - one.modified || (one.path < other.path ? -1 : 1),
	);
}

/**
 * Returns the sessions that match a file path, an id, an id prefix or a title. Sessions of other projects are searched only if no session
 * of this project matches.
 */
export async function findSessions(
	{ agentDir, folder }: Place,
	wanted: string,
): Promise<{ found: SessionSummary[]; isHere: boolean }> {
	const here = meant(await listSessions({ agentDir, folders: [folder] }), wanted);
	if (here.length > 0) return { found: here, isHere: true };
	return { found: meant(await listSessions({ agentDir }), wanted), isHere: false };
}

/** Returns the sessions in `rows` that match `wanted`. */
export function meant(rows: readonly SessionSummary[], wanted: string): SessionSummary[] {
	const file = rows.filter(({ path }) => path === wanted);
	return file.length > 0 ? file : matchSessions(rows, wanted);
}
