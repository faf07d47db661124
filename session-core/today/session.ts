import type { Recap } from "../recap/record.ts";
import type { SessionSummary } from "../store/summary.ts";

/** What a day's list says of one session. Times in ms. */
export interface DaySession {
	name: string | undefined;
	/** What it is about where it has neither a name nor a recap. */
	prompt: string | undefined;
	/** Where it ran; empty if unknown. */
	cwd: string;
	created: number;
	modified: number;
	messages: number | undefined;
	headless: boolean;
	/** Where it stands: its record, if it is current, else made offline; undefined: nothing can be said. */
	recap: Recap | undefined;
}

/** The beginning of a day by the user's own clock. */
export function midnightOf(now: number): number {
	return new Date(now).setHours(0, 0, 0, 0);
}

/** Whether a session belongs to a day's list: something was said in it since, and no other session started it. */
export function isOfToday({ kind, modified, last }: SessionSummary, since: number): boolean {
	return kind !== "child" && last !== undefined && modified >= since;
}

/** The session's own record, if nothing was said after it. */
export function currentRecap({ recap, last }: Pick<SessionSummary, "recap" | "last">): Recap | undefined {
	return recap && last && recap.last_message_id === last.id ? recap : undefined;
}

export function daySession(summary: SessionSummary, recap: Recap | undefined): DaySession {
	return {
		name: summary.name,
		prompt: summary.work?.title || summary.firstPrompt,
		cwd: summary.cwd,
		created: summary.created,
		modified: summary.modified,
		messages: summary.messageCount,
		headless: summary.kind === "headless",
		recap,
	};
}
