import { ASKED_ONLY, BRIEF, Window } from "../log/branch.ts";
import { openSessionFile } from "../log/session-file.ts";
import { lastTurn, readTimeline } from "../log/timeline/index.ts";
import { ENGLISH, lastStep, nextOf, openActions, openOf, topicOf } from "../recap/index.ts";
import { foldCase, redact, shownLine } from "../text/index.ts";
import { type SessionSummary, type SessionWork, UNUSUAL, wantsWork } from "./summary.ts";

/** A function that determines the topic of a session. It is loaded separately from the listing, because it depends on the timeline code. */
export type WorkReader = (summary: SessionSummary) => SessionWork;

/**
 * Determines the topic of a session, and what is open, from a brief reading of its file. The brief reading knows the same requests and the
 * same last reply as any other. A log without a request, such as one whose beginning is missing, is named by its last step.
 */
export const readWork: WorkReader = (summary) => {
	const isRecorded = summary.recap !== undefined && summary.recap.last_message_id === summary.last?.id;
	const work = workIn(summary, isRecorded ? ASKED_ONLY : BRIEF);
	// Only what is shown must be redacted. If it may contain a secret, the entries that could reveal that are read, too.
	const mayBeSecret = UNUSUAL.test(`${work.title} ${work.next?.text ?? ""}`);
	return mayBeSecret ? workIn(summary) : work;
};

const DONE = { outcome: "done" as const, next_actions: [] };

function workIn({ path, cwd, last, firstPrompt }: SessionSummary, most?: typeof BRIEF): SessionWork {
	const of = last?.id ?? "";
	const opened = openSessionFile(path, new Window(most));
	if (!opened.ok) return { of, title: "", source: "request", waits: false, next: undefined };
	const timeline = readTimeline(opened.session.slice, { cwd });
	// Without the last reply, nothing is known of what is open. The record says it.
	const state = most === ASKED_ONLY ? DONE : { outcome: timeline.outcome, ...nextOf(openActions(timeline)) };
	const { waits, next } = openOf(state);
	const topic = topicOf(timeline);
	const step = topic || firstPrompt ? undefined : lastStep(lastTurn(timeline.turns), ENGLISH);
	return {
		of,
		title: shownLine(topic?.text ?? step ?? ""),
		source: topic?.source ?? "step",
		waits,
		next: next && { kind: next.kind, text: shownLine(next.text) },
	};
}

/** Adds the topic to a summary if the topic is useful and not yet known. */
export function withWork(summary: SessionSummary): SessionSummary {
	return wantsWork(summary) ? { ...summary, work: readWork(summary) } : summary;
}

/** Compiles the large patterns that listing sessions needs, which takes 15 ms. The engine compiles a pattern when it is used. */
export function warmUp(): void {
	for (const text of ["Commit it?", "Please run it."]) {
		redact(text);
		foldCase(text);
	}
}
