import type { SessionSummary } from "../catalog/summary.ts";
import type { Description } from "./describe.ts";
import type { SessionView } from "./view.ts";

/** One session in the list of a day. */
export interface DaySession {
	view: SessionView;
	/** Its description; undefined: its file cannot be read. */
	described: Description | undefined;
}

/** The last midnight, in local time. */
export function midnightOf(now: number): number {
	return new Date(now).setHours(0, 0, 0, 0);
}

/** Whether a session belongs to a day's list: it has messages since then, and no other session started it. */
export function isOfToday({ kind, modified, last }: SessionSummary, since: number): boolean {
	return kind !== "child" && last !== undefined && modified >= since;
}
