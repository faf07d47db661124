import { scanSessions } from "../../session-core/store/scan.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";

export type FindOutcome =
	| { ok: true; summary: SessionSummary }
	| { ok: false; reason: "unknown" | "ambiguous"; count: number };

/** Characters of an id's beginning that are enough to mean it. */
const SHORTEST_ID = 4;

/** The session with this file, id, beginning of an id, or name. Folders are looked through in turn; undefined: all projects'. */
export async function findSession(
	wanted: string,
	{ agentDir, folders }: { agentDir: string; folders: readonly (string[] | undefined)[] },
): Promise<FindOutcome> {
	for (const some of folders) {
		const found = await matchesIn(wanted, agentDir, some);
		const [only] = found;
		if (only && found.length === 1) return { ok: true, summary: only };
		if (found.length > 1) return { ok: false, reason: "ambiguous", count: found.length };
	}
	return { ok: false, reason: "unknown", count: 0 };
}

async function matchesIn(
	wanted: string,
	agentDir: string,
	folders: string[] | undefined,
): Promise<SessionSummary[]> {
	const exact = new Map<string, SessionSummary>();
	const begun = new Map<string, SessionSummary>();
	for await (const batch of scanSessions({ agentDir, folders })) {
		if (batch.stage === "done") break;
		for (const summary of batch.rows) {
			const { path, id, name } = summary;
			if (path === wanted || id === wanted || name === wanted) exact.set(path, summary);
			else if (wanted.length >= SHORTEST_ID && id.startsWith(wanted)) begun.set(path, summary);
		}
	}
	return [...(exact.size > 0 ? exact : begun).values()];
}
