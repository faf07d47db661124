import type { SessionSummary } from "../catalog/summary.ts";
import type { Description } from "./describe.ts";
import type { SessionView } from "./view.ts";

/** One session in the list of a day. */
export interface DaySession {
	view: SessionView;
	/** Where it stands; undefined: its file cannot be read. */
	described: Description | undefined;
}

/** The beginning of a day by the user's own clock. */
export function midnightOf(now: number): number {
	return new Date(now).setHours(0, 0, 0, 0);
}

/** Whether a session belongs to a day's list: something was said in it since, and no other session started it. */
export function isOfToday({ kind, modified, last }: SessionSummary, since: number): boolean {
	return kind !== "child" && last !== undefined && modified >= since;
}
