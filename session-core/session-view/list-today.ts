import { setImmediate as breathe } from "node:timers/promises";
import { listSessions } from "../catalog/find-sessions.ts";
import type { ScanOptions, ScanReport } from "../catalog/listing.ts";
import { type Lease, leaseFinder } from "../live/lease-files.ts";
import type { WordsFor } from "../words/card-words.ts";
import { describeSession } from "./describe.ts";
import { type DaySession, isOfToday } from "./today.ts";
import { viewOf } from "./view.ts";
import { withWork } from "./work.ts";

export interface TodayOptions extends Pick<ScanOptions, "agents" | "env"> {
	agentDir: string;
	/** The folders to list; if undefined, the folders of all projects are listed. */
	folders: string[] | undefined;
	now: number;
	/** The start of the period, in milliseconds since the epoch. */
	since: number;
	words: WordsFor;
	/** The sessions that are open now. */
	leases: readonly Lease[];
	/** Called with the scan report of the listing. */
	onReport?: (report: ScanReport) => void;
}

export interface Today {
	/** Oldest work first. */
	sessions: DaySession[];
	/** The number of today's sessions that are left out to keep the list short. */
	more: number;
}

const MAX_SESSIONS = 60;
/**
 * Limits on the number of bytes that are read from a session's file. The end of the file is enough to describe the most recent work, and
 * small limits keep each step short.
 */
const LIMITS = {
	wholeBytes: 192 * 1024,
	headBytes: 32 * 1024,
	tailBytes: 160 * 1024,
	maxTailBytes: 640 * 1024,
	lineBytes: 640 * 1024,
};

/** Returns the sessions with messages since midnight (or another time), each with its record or an offline description. */
export async function listToday(options: TodayOptions): Promise<Today> {
	const { agentDir, folders, agents, env, now, since, words, leases, onReport } = options;
	const rows = await listSessions({ agentDir, folders, agents, env }, onReport);
	const all = rows.filter((summary) => isOfToday(summary, since));
	const leaseOf = leaseFinder(leases);
	const sessions: DaySession[] = [];
	for (const summary of all.slice(0, MAX_SESSIONS)) {
		const lease = leaseOf(summary);
		const deps = { now: () => now, words };
		const isWorking = lease?.state === "working";
		const described = await describeSession(summary, deps, { ...LIMITS, isWorking });
		sessions.push({
			view: viewOf(withWork(summary), lease),
			described: described.ok ? described : undefined,
		});
		await breathe();
	}
	return { sessions: sessions.reverse(), more: Math.max(0, all.length - MAX_SESSIONS) };
}
