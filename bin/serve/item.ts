import type { LeaseState } from "../../session-core/store/lease.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";
import type { Words } from "../../session-core/words/words.ts";
import { projectOf, rowOf } from "../../session-resume/board/row.ts";
import type { SessionJson } from "./schemas.ts";

/** One session of the board: what is known of it, and how it goes out. */
export interface Item {
	path: string;
	id: string;
	/** Milliseconds since the epoch. */
	modified: number;
	/** Changes whenever the file does. */
	stamp: string;
	summary: SessionSummary;
	/** Without what its process does now. */
	json: Omit<SessionJson, "state" | "since">;
	/** What is searched: lower case, composed accents. */
	text: string;
}

/** What a live session does, since when (milliseconds). */
export interface LiveOf {
	state: LeaseState;
	since: number;
}

/** `words`: what is said of how it ended. */
export function itemOf(summary: SessionSummary, words: Words): Item {
	const row = rowOf(summary, false, words);
	const { next, ending, model } = row;
	return {
		path: row.path,
		id: row.id,
		modified: row.modified,
		stamp: row.stamp,
		summary,
		text: row.match.text,
		json: {
			id: row.id,
			title: row.title,
			title_source: row.titleSource,
			kind: row.kind,
			cwd: row.cwd,
			project: projectOf(row.cwd),
			modified_at: seconds(row.modified),
			created_at: seconds(summary.created),
			...(model !== undefined && { model }),
			...(next !== undefined && { next }),
			...(ending !== undefined && { ending }),
			...(!row.hostReads && { damaged: true }),
		},
	};
}

/** The session as it goes out, with what its process does. How it ended is not true of one that runs. */
export function jsonOf({ json }: Item, live: LiveOf | undefined): SessionJson {
	if (!live) return { ...json, state: "closed" };
	const { ending: _, ...rest } = json;
	return { ...rest, state: live.state, since: seconds(live.since) };
}

export function seconds(ms: number): number {
	return Math.floor(ms / 1_000);
}
