import { type SessionSummary, type SessionWork, wantsWork } from "../catalog/summary.ts";
import { openActions } from "../recap/open.ts";
import { topicLine } from "../recap/requests.ts";
import { lastStep } from "../recap/work-done.ts";
import { openSessionFile } from "../session-file/session-file.ts";
import { foldCase } from "../text/matching.ts";
import { redact } from "../text/redact.ts";
import { isRequestToUser } from "../text/reply.ts";
import { shownLine } from "../text/shown-line.ts";
import { readTimeline } from "../timeline/timeline.ts";
import { lastTurn } from "../timeline/turn.ts";
import { ENGLISH } from "../words/card-words.ts";

/** A function that determines the topic of a session. It is loaded separately from the listing, because it depends on the timeline code. */
export type WorkReader = (summary: SessionSummary) => SessionWork;

/**
 * Determines the topic of a session by the same rule as the recap. The topic is the larger work that the last request belongs to, or the
 * request itself if there is no larger work. A log without a request, such as one whose beginning is missing, is named by its last step.
 */
export const readWork: WorkReader = ({ path, cwd, last, firstPrompt }) => {
	const of = last?.id ?? "";
	const opened = openSessionFile(path);
	if (!opened.ok) return { of, title: "", waits: false, next: undefined };
	const timeline = readTimeline(opened.session.slice, { cwd });
	const waits = timeline.outcome === "waiting";
	const [open] = openActions(timeline);
	return {
		of,
		title: shownLine(topicLine(timeline) || firstPrompt || lastStep(lastTurn(timeline.turns), ENGLISH) || ""),
		waits,
		next: open && shownLine(open.text),
	};
};

/** Adds the topic to a summary if the topic is useful and not yet known. */
export function withWork(summary: SessionSummary): SessionSummary {
	return wantsWork(summary) ? { ...summary, work: readWork(summary) } : summary;
}

/** Compiles the large patterns that listing sessions needs, which takes 15 ms. The engine compiles a pattern when it is used. */
export function warmUp(): void {
	for (const text of ["Commit it?", "Please run it."]) {
		redact(text);
		isRequestToUser(text);
		foldCase(text);
	}
}
