import { type ScanOptions, type ScanReport, scanSessions } from "../store/scan.ts";
import type { SessionSummary } from "../store/summary.ts";

import { matchSessions } from "./match.ts";

export interface Place {
	agentDir: string;
	/** Where the open session's file stands, or would: looked in first. */
	folder: string;
}

/** Every session of one folder, or of all projects; newest first. `told`: how the listing went. */
export async function listSessions(
	options: ScanOptions,
	told?: (report: ScanReport) => void,
): Promise<SessionSummary[]> {
	const rows = new Map<string, SessionSummary>();
	for await (const batch of scanSessions(options)) {
		if (batch.stage === "done") {
			told?.(batch.report);
			break;
		}
		for (const row of batch.rows) rows.set(row.path, row);
	}
	return [...rows.values()].toSorted((one, other) => other.modified - one.modified);
}

/** The sessions that are meant by a file, an id or its beginning, or a title: of this project, else of any. */
export async function findSessions(
	{ agentDir, folder }: Place,
	wanted: string,
): Promise<{ found: SessionSummary[]; isHere: boolean }> {
	const here = meant(await listSessions({ agentDir, folders: [folder] }), wanted);
	if (here.length > 0) return { found: here, isHere: true };
	return { found: meant(await listSessions({ agentDir }), wanted), isHere: false };
}

/** Those of these that are meant. */
export function meant(rows: readonly SessionSummary[], wanted: string): SessionSummary[] {
	const file = rows.filter(({ path }) => path === wanted);
	return file.length > 0 ? file : matchSessions(rows, wanted);
}
