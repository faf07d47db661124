import { movedTopic } from "../../session-core/recap/index.ts";
import {
	markOf,
	type SessionSummary,
	type SessionView,
	toldApart,
	viewOf,
	withLease,
} from "../../session-core/sessions/index.ts";
import { leaseFinder } from "../../session-core/sessions/live/index.ts";
import { foldCase } from "../../session-core/text/index.ts";
import type { LiveState } from "../live/leases.ts";

/** A session on the board. Each string is a single line and is safe to show. */
export interface Row extends SessionView {
	live: LiveState | undefined;
	openIn: number;
	here: boolean;
	/** The key under which the session's marks are stored. */
	mark: string;
	/** Whether resuming the session creates a fork instead of continuing the original. */
	branches: boolean;
	/** The topic of the current note, if it has moved on from the name; otherwise empty. */
	topic: string;
}

export function rowOf(summary: SessionSummary, here: boolean): Row {
	const view = viewOf(summary);
	const { newestRecord, id } = view;
	return {
		...view,
		live: undefined,
		openIn: 0,
		here,
		mark: markOf(summary.path),
		// The newest record counts even if it is outdated. A record that a fork inherited from its parent does not count, because the
		// requested fork has already been made.
		branches: newestRecord?.resume_hint?.branch_on_resume === true && newestRecord.subject_id === id,
		topic: movedTopic(view.record, isNamed(view) ? view.title : undefined),
	};
}

export function withLive(rows: readonly Row[], live: readonly LiveState[]): readonly Row[] {
	if (live.length === 0) return rows;
	const find = leaseFinder(live);
	const counts = new Map<string, number>();
	for (const { sessionId } of live) counts.set(sessionId, (counts.get(sessionId) ?? 0) + 1);
	return toldApart(
		rows.map((row) => {
			const found = find(row);
			const openIn = counts.get(found?.sessionId ?? "") ?? 0;
			return found ? { ...row, ...withLease(row, found), live: found, openIn } : row;
		}),
	);
}

export function renamed(row: Row, name: string): Row {
	return {
		...row,
		title: name,
		titleSource: "manual",
		foldedTitle: foldCase(name),
		searched: `${foldCase(name)}\n${row.searched}`,
	};
}

export function isNamed({ titleSource }: Pick<Row, "titleSource">): boolean {
	return titleSource === "manual" || titleSource === "auto";
}
